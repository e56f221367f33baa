package io.dynajournal.internal.projections;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * When an event shows that the sequence numbers of its entity have started again.
 *
 * @param after how much later than the last one that was projected it must be; null: they never start again, and such an event is
 *     a duplicate
 */
public record SequenceReset(@Nullable Duration after) {

    public static final SequenceReset NEVER = new SequenceReset(null);

    /** Whether an event follows another one in spite of its sequence number. */
    public boolean isBetween(long lastSeqNr, long lastMicros, long seqNr, long micros) {
        return after != null && seqNr <= lastSeqNr && micros - after.toNanos() / 1000 > lastMicros;
    }

    /** The one that was projected later. */
    SeqNrRow later(SeqNrRow one, SeqNrRow other) {
        if (one.generation() != other.generation()) {
            return one.generation() > other.generation() ? one : other;
        }
        boolean higher = other.seqNr() > one.seqNr();
        SeqNrRow low = higher ? one : other;
        SeqNrRow high = higher ? other : one;
        return isBetween(high.seqNr(), high.micros(), low.seqNr(), low.micros()) ? low : high;
    }
}
