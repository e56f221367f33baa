package io.dynajournal.journal;

import io.dynajournal.model.Event;
import io.dynajournal.model.EventBatch;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Puts writes that follow one another into batches. A rejected one leaves a gap in the numbers, so it parts a batch. */
final class Batches {

    private final List<EventBatch> done = new ArrayList<>();
    private final List<SerializedWrite> open = new ArrayList<>();

    private Batches() {}

    static List<EventBatch> of(List<SerializedWrite> writes) {
        Batches batches = new Batches();
        for (SerializedWrite write : writes) {
            if (write.rejection().isEmpty()) {
                batches.add(write);
            }
        }
        batches.close();
        return batches.done;
    }

    /** A batch less the write with this number: what stands before it, and what stands behind it. */
    static List<EventBatch> without(EventBatch batch, long seqNr) {
        List<List<Event>> writes = batch.writes();
        int at = 0;
        long first = batch.firstSeqNr();
        while (first + writes.get(at).size() <= seqNr) {
            first += writes.get(at).size();
            at++;
        }
        List<EventBatch> rest = new ArrayList<>();
        if (at > 0) {
            rest.add(new EventBatch(batch.persistenceId(), batch.writer(), batch.firstSeqNr(), writes.subList(0, at)));
        }
        if (at + 1 < writes.size()) {
            rest.add(new EventBatch(
                    batch.persistenceId(),
                    batch.writer(),
                    first + writes.get(at).size(),
                    writes.subList(at + 1, writes.size())));
        }
        return rest;
    }

    private void add(SerializedWrite write) {
        @Nullable SerializedWrite last = open.isEmpty() ? null : open.get(open.size() - 1);
        if (last != null && !write.follows(last)) {
            close();
        }
        open.add(write);
    }

    private void close() {
        if (open.isEmpty()) {
            return;
        }
        SerializedWrite first = open.get(0);
        List<List<Event>> events = new ArrayList<>(open.size());
        open.forEach(write -> events.add(write.events()));
        done.add(new EventBatch(first.persistenceId(), first.writer(), first.firstSeqNr(), events));
        open.clear();
    }
}
