package io.dynajournal;

import akka.persistence.query.NoOffset;
import akka.persistence.query.Offset;
import akka.persistence.query.TimestampOffset;
import akka.persistence.query.typed.EventEnvelope;
import akka.stream.javadsl.Source;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/**
 * A consumer that is killed and resumed from the offset of its last event, over and over. It records what must not happen:
 * an event twice in a run, out of order, skipped, or repeated from outside the backtracking window.
 */
final class ChaosConsumer {

    private final Reads reads;
    private final Function<Offset, Source<EventEnvelope<String>, ?>> query;
    private final Random random;
    private final long windowMillis;
    private final Duration patience;
    final Map<String, Long> processed = new HashMap<>();
    final List<String> problems = new ArrayList<>();
    long repeats;
    int runs;
    private Offset offset = NoOffset.getInstance();

    ChaosConsumer(Reads reads, String entityType, long seed, long windowMillis, Duration patience) {
        this(
                reads,
                offset -> reads.journal().eventsBySlices(entityType, 0, 1023, offset),
                seed,
                windowMillis,
                patience);
    }

    /**
     * @param query a live query that starts after an offset
     * @param patience after this time without an event, one counts as lost
     */
    ChaosConsumer(
            Reads reads,
            Function<Offset, Source<EventEnvelope<String>, ?>> query,
            long seed,
            long windowMillis,
            Duration patience) {
        this.reads = reads;
        this.query = query;
        this.random = new Random(seed);
        this.windowMillis = windowMillis;
        this.patience = patience;
    }

    /** Consumes until every event was delivered, or none is delivered any more. */
    void consume(BooleanSupplier isComplete) {
        while (!isComplete.getAsBoolean() && problems.isEmpty()) {
            run(random.nextInt(4) == 0 ? Integer.MAX_VALUE : 20 + random.nextInt(600), isComplete);
        }
    }

    private void run(int most, BooleanSupplier isComplete) {
        runs++;
        long resumed = offset instanceof TimestampOffset from ? from.timestamp().toEpochMilli() - windowMillis : 0;
        Map<String, Long> inThisRun = new HashMap<>();
        Reads.Consumer<EventEnvelope<String>> consumer = reads.consumer(query.apply(offset));
        try {
            for (int i = 0; i < most && !isComplete.getAsBoolean() && problems.isEmpty(); i++) {
                EventEnvelope<String> envelope = null;
                Instant end = Instant.now().plus(patience);
                while (envelope == null && Instant.now().isBefore(end) && !isComplete.getAsBoolean()) {
                    envelope = consumer.nextWithin(Duration.ofMillis(500));
                }
                if (envelope != null) {
                    take(envelope, inThisRun, resumed);
                } else if (!isComplete.getAsBoolean()) {
                    problems.add("no event was delivered for " + patience);
                }
            }
        } finally {
            consumer.stop();
        }
    }

    private void take(EventEnvelope<String> envelope, Map<String, Long> inThisRun, long resumed) {
        String id = envelope.persistenceId();
        long seqNr = envelope.sequenceNr();
        if (!envelope.event().startsWith(id + "/" + seqNr)) {
            problems.add("event " + envelope.event() + " was delivered as " + id + " " + seqNr);
        }
        Long before = inThisRun.put(id, seqNr);
        if (before != null && seqNr <= before) {
            problems.add(id + " " + seqNr + " after " + before + " in a run");
        }
        long delivered = processed.getOrDefault(id, 0L);
        if (seqNr > delivered + 1) {
            problems.add(id + " " + seqNr + " after " + delivered);
        } else if (seqNr <= delivered) {
            repeats++;
            if (envelope.timestamp() < resumed) {
                problems.add(id + " " + seqNr + " repeated from outside the window");
            }
        }
        processed.merge(id, seqNr, Math::max);
        offset = envelope.offset();
    }
}
