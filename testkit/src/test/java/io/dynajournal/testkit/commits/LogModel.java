package io.dynajournal.testkit.commits;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.model.Event;
import io.dynajournal.model.EventBatch;
import io.dynajournal.model.StoredEvent;
import java.util.ArrayList;
import java.util.List;

/** What one log must be, kept in memory: every event that was ever stored, and how far deletes went. */
final class LogModel {

    /** An event, and where its atomic write ends. */
    private record Known(long seqNr, long writeEnd, Event event) {}

    private final List<Known> events = new ArrayList<>();
    private int commits;
    private long highest;
    private long deleteRequested;
    private long deleteDone;

    /** How many appends have landed: a writer that saw fewer must be refused. */
    int version() {
        return commits;
    }

    long highest() {
        return highest;
    }

    long deleteDone() {
        return deleteDone;
    }

    void landed(EventBatch batch) {
        long number = batch.firstSeqNr();
        for (List<Event> write : batch.writes()) {
            long end = number + write.size() - 1;
            for (Event event : write) {
                events.add(new Known(number++, end, event));
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
                .as("%s: lost although nobody deleted them", what)
                .allMatch(known -> known.seqNr() <= deleteRequested);
        assertThat(present).as("%s: deleted but still there", what).allMatch(known -> known.seqNr() > deleteDone);
    }
}
