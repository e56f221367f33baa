package io.dynajournal.cli.copy;

import io.dynajournal.internal.layout.EventFormat;
import io.dynajournal.internal.model.Event;
import io.dynajournal.internal.model.EventBatch;
import io.dynajournal.internal.model.StoredEvent;
import java.util.ArrayList;
import java.util.List;

/**
 * Divides a page of events into what can be appended together: consecutive events of one writer and one time. Each event is an
 * atomic write of its own, because the source does not show which events were written together.
 */
final class EventBatches {

    private EventBatches() {}

    static List<EventBatch> of(List<StoredEvent> events, EventFormat target) {
        List<EventBatch> batches = new ArrayList<>();
        int from = 0;
        for (int i = 1; i <= events.size(); i++) {
            if (i == events.size() || !isFollowedBy(events.get(i - 1), events.get(i), target)) {
                batches.add(batch(events.subList(from, i), target));
                from = i;
            }
        }
        return batches;
    }

    private static boolean isFollowedBy(StoredEvent event, StoredEvent next, EventFormat target) {
        return next.seqNr() == event.seqNr() + 1
                && next.writer().equals(event.writer())
                && target.kept(next).timestampMicros() == target.kept(event).timestampMicros();
    }

    private static EventBatch batch(List<StoredEvent> events, EventFormat target) {
        StoredEvent first = events.get(0);
        List<List<Event>> writes = new ArrayList<>(events.size());
        events.forEach(event -> writes.add(List.of(target.kept(event).event())));
        return new EventBatch(first.persistenceId(), first.writer(), first.seqNr(), writes, first.timestampMicros());
    }
}
