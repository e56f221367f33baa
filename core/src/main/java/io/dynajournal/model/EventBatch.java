package io.dynajournal.model;

import java.util.List;
import java.util.Objects;

/**
 * Atomic writes of one writer that arrived together. Their numbers follow one another from {@code firstSeqNr}, so no
 * layout has to check that.
 */
public record EventBatch(String persistenceId, String writer, long firstSeqNr, List<List<Event>> writes) {

    public EventBatch {
        Objects.requireNonNull(persistenceId, "persistenceId");
        Objects.requireNonNull(writer, "writer");
        writes = writes.stream().map(List::copyOf).toList();
        if (firstSeqNr < 1) {
            throw new IllegalArgumentException(
                    "the first number of " + persistenceId + " is " + firstSeqNr + ", not 1 or more");
        }
        if (writes.isEmpty() || writes.stream().anyMatch(List::isEmpty)) {
            throw new IllegalArgumentException(
                    "an atomic write of " + persistenceId + " at " + firstSeqNr + " has no event");
        }
    }

    /** One atomic write. */
    public static EventBatch of(String persistenceId, String writer, long firstSeqNr, List<Event> write) {
        return new EventBatch(persistenceId, writer, firstSeqNr, List.of(write));
    }

    public int size() {
        return writes.stream().mapToInt(List::size).sum();
    }

    public long lastSeqNr() {
        return firstSeqNr + size() - 1;
    }
}
