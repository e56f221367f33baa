package io.dynajournal.journal;

import akka.persistence.AtomicWrite;
import io.dynajournal.exception.StoreException.ItemTooLarge;
import io.dynajournal.internal.model.Event;
import io.dynajournal.internal.model.EventBatch;
import io.dynajournal.internal.store.Stages;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An atomic write after its serialization.
 *
 * @param events empty if it is rejected
 * @param rejection why it cannot be stored; empty if it can
 */
record SerializedWrite(
        String persistenceId, String writer, long firstSeqNr, List<Event> events, Optional<Exception> rejection) {

    static SerializedWrite of(AtomicWrite write, @Nullable List<Event> events, @Nullable Throwable failure) {
        return new SerializedWrite(
                write.persistenceId(),
                write.payload().head().writerUuid(),
                write.lowestSequenceNr(),
                events == null ? List.of() : events,
                Optional.ofNullable(failure).map(SerializedWrite::exception));
    }

    private static Exception exception(Throwable failure) {
        Throwable cause = Stages.unwrap(failure);
        return cause instanceof Exception exception ? exception : new IllegalStateException(cause);
    }

    /** The writes that can be stored, in batches. A rejected write leaves a gap in the sequence numbers, so it ends a batch. */
    static List<EventBatch> batches(List<SerializedWrite> writes) {
        List<EventBatch> batches = new ArrayList<>();
        List<SerializedWrite> batch = new ArrayList<>();
        for (SerializedWrite write : writes) {
            if (write.rejection.isPresent()) {
                continue;
            }
            if (!batch.isEmpty() && !write.follows(batch.get(batch.size() - 1))) {
                batches.add(batch(batch));
                batch.clear();
            }
            batch.add(write);
        }
        if (!batch.isEmpty()) {
            batches.add(batch(batch));
        }
        return batches;
    }

    private static EventBatch batch(List<SerializedWrite> writes) {
        SerializedWrite first = writes.get(0);
        List<List<Event>> events = new ArrayList<>(writes.size());
        writes.forEach(write -> events.add(write.events));
        return new EventBatch(first.persistenceId, first.writer, first.firstSeqNr, events);
    }

    private boolean follows(SerializedWrite previous) {
        return persistenceId.equals(previous.persistenceId)
                && writer.equals(previous.writer)
                && firstSeqNr == previous.firstSeqNr + previous.events.size();
    }

    /** Why this write was not stored: it could not be serialized, or the table refused one of its events as too large. */
    Optional<Exception> rejection(List<ItemTooLarge> tooLarge) {
        for (ItemTooLarge failure : tooLarge) {
            if (failure.seqNr() >= firstSeqNr && failure.seqNr() < firstSeqNr + events.size()) {
                return Optional.of(failure);
            }
        }
        return rejection;
    }
}
