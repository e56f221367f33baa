package io.dynajournal.query;

import io.dynajournal.model.StoredEvent;
import io.dynajournal.slices.Delivery;
import io.dynajournal.store.SliceIndex;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** The events of writes that a query wants. */
record EventContents(SliceIndex index, SliceQuery query) implements RowContents<Found> {

    @Override
    public CompletionStage<List<Found>> of(List<Delivery> deliveries) {
        return index.events(deliveries.stream().map(Delivery::row).toList())
                .thenApply(events -> wanted(deliveries, events));
    }

    private List<Found> wanted(List<Delivery> deliveries, List<List<StoredEvent>> events) {
        List<Found> wanted = new ArrayList<>();
        long now = index.nowMicros();
        for (int i = 0; i < deliveries.size(); i++) {
            long from = deliveries.get(i).fromSeqNr();
            for (StoredEvent event : events.get(i)) {
                Found found = new Found(event, now);
                if (event.seqNr() >= from && query.wants(found)) {
                    wanted.add(found);
                }
            }
        }
        return wanted;
    }
}
