package io.dynajournal.testkit.commits;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.internal.model.Event;
import io.dynajournal.internal.model.EventBatch;
import io.dynajournal.internal.model.StoredEvent;
import java.util.ArrayList;
import java.util.List;

/** The expected content of one log, in memory: every event that was ever stored, and the deletes. */
final class LogModel {

    /** An event, and where its atomic write ends. */
    private record Known(long seqNr, long writeEnd, Event event) {}

    private final List<Known> events = new ArrayList<>();
    private int commits;
    private long highest;
    private long deleteRequested;
    private long deleteDone;

    /** How many appends were stored: a writer that has seen fewer must be rejected. */
    int version() {
        return commits;
    }

    long highest() {
        return highest;
    }

    long deleteDone() {
        return deleteDone;
    }

    void stored(EventBatch batch) {
        long seqNr = batch.firstSeqNr();
        for (List<Event> write : batch.writes()) {
            long end = seqNr + write.size() - 1;
            for (Event event : write) {
                events.add(new Known(seqNr++, end, event));
            }
        }
        highest = batch.lastSeqNr();
        commits++;
    }

    void deleting(long to) {
        deleteRequested = Math.max(deleteRequested, Math.min(to, highest));
    }

    void deleted(long to) {
        deleting(to);
        deleteDone = Math.max(deleteDone, Math.min(to, highest));
    }

    /** A replay must give the events of the range without a prefix that somebody has asked to delete. */
    void check(String what, long from, long to, List<StoredEvent> replayed) {
        List<Known> wanted = new ArrayList<>();
        for (Known known : events) {
            if (known.seqNr() >= from && known.writeEnd() > to) {
                break;
            }
            if (known.seqNr() >= from) {
                wanted.add(known);
            }
        }
        assertThat(replayed.size()).as("%s: more than was stored", what).isLessThanOrEqualTo(wanted.size());
        List<Known> missing = wanted.subList(0, wanted.size() - replayed.size());
        List<Known> present = wanted.subList(wanted.size() - replayed.size(), wanted.size());
        assertThat(replayed)
                .as("%s from %d to %d, deleted to %d", what, from, to, deleteRequested)
                .extracting(StoredEvent::seqNr)
                .containsExactlyElementsOf(present.stream().map(Known::seqNr).toList());
        assertThat(replayed)
                .as("%s: contents", what)
                .extracting(StoredEvent::event)
                .containsExactlyElementsOf(present.stream().map(Known::event).toList());
        assertThat(missing)
                .as("%s: lost although they were not deleted", what)
                .allMatch(known -> known.seqNr() <= deleteRequested);
        assertThat(present).as("%s: deleted but still there", what).allMatch(known -> known.seqNr() > deleteDone);
    }
}
