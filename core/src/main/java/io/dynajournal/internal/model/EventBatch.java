package io.dynajournal.internal.model;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;

/**
 * Atomic writes of one writer that arrived together. Their sequence numbers are contiguous from {@code firstSeqNr}, so no
 * layout has to check that.
 *
 * @param timestampMicros when the events were written, for events that are copied from another table; 0 for now. A layout raises
 *     it where its format requires later times than those that are stored
 */
public record EventBatch(
        String persistenceId, String writer, long firstSeqNr, List<List<Event>> writes, long timestampMicros) {

    public EventBatch {
        Objects.requireNonNull(persistenceId, "persistenceId");
        Objects.requireNonNull(writer, "writer");
        writes = copy(writes);
        if (firstSeqNr < 1) {
            throw new IllegalArgumentException("The first sequence number of a batch of " + persistenceId + " is "
                    + firstSeqNr + "; expected 1 or more.");
        }
        if (writes.isEmpty() || writes.contains(List.<Event>of())) {
            throw new IllegalArgumentException("An atomic write of " + persistenceId
                    + " in the batch at sequence number " + firstSeqNr + " has no event.");
        }
    }

    /** Events that are written now. */
    public EventBatch(String persistenceId, String writer, long firstSeqNr, List<List<Event>> writes) {
        this(persistenceId, writer, firstSeqNr, writes, 0);
    }

    /** These atomic writes, some of this batch, from a sequence number on. */
    public EventBatch part(long first, List<List<Event>> some) {
        return new EventBatch(persistenceId, writer, first, some, timestampMicros);
    }

    /** When the events were written: now, unless they are copied. */
    public long timeOr(long nowMicros) {
        return timestampMicros > 0 ? timestampMicros : nowMicros;
    }

    /** Without streams: this runs for every write. */
    private static List<List<Event>> copy(List<List<Event>> writes) {
        List<List<Event>> copy = new ArrayList<>(writes.size());
        writes.forEach(write -> copy.add(List.copyOf(write)));
        return Collections.unmodifiableList(copy);
    }

    /** One atomic write. */
    public static EventBatch of(String persistenceId, String writer, long firstSeqNr, List<Event> write) {
        return new EventBatch(persistenceId, writer, firstSeqNr, List.of(write));
    }

    /** This batch without the atomic write that holds a sequence number: what precedes it, and what follows it. */
    public List<EventBatch> without(long seqNr) {
        int index = 0;
        long first = firstSeqNr;
        while (first + writes.get(index).size() <= seqNr) {
            first += writes.get(index).size();
            index++;
        }
        List<EventBatch> rest = new ArrayList<>(2);
        if (index > 0) {
            rest.add(part(firstSeqNr, writes.subList(0, index)));
        }
        if (index + 1 < writes.size()) {
            long next = first + writes.get(index).size();
            rest.add(part(next, writes.subList(index + 1, writes.size())));
        }
        return rest;
    }

    /** How many events it has. */
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
