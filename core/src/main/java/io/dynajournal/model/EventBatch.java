package io.dynajournal.model;

import java.util.ArrayList;
import java.util.Collections;
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
        writes = copy(writes);
        if (firstSeqNr < 1) {
            throw new IllegalArgumentException(
                    "the first number of " + persistenceId + " is " + firstSeqNr + ", not 1 or more");
        }
        if (writes.isEmpty() || writes.contains(List.<Event>of())) {
            throw new IllegalArgumentException(
                    "an atomic write of " + persistenceId + " at " + firstSeqNr + " has no event");
        }
    }

    /** Without streams: every write comes by here. */
    private static List<List<Event>> copy(List<List<Event>> writes) {
        List<List<Event>> copy = new ArrayList<>(writes.size());
        writes.forEach(write -> copy.add(List.copyOf(write)));
        return Collections.unmodifiableList(copy);
    }

    /** One atomic write. */
    public static EventBatch of(String persistenceId, String writer, long firstSeqNr, List<Event> write) {
        return new EventBatch(persistenceId, writer, firstSeqNr, List.of(write));
    }

    public int size() {
        int size = 0;
        for (List<Event> write : writes) {
            size += write.size();
        }
        return size;
    }

    public long lastSeqNr() {
        return firstSeqNr + size() - 1;
    }
}
