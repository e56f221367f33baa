package io.dynajournal.internal.query;

import io.dynajournal.internal.model.StoredEvent;
import io.dynajournal.internal.slices.Delivery;
import io.dynajournal.internal.store.SliceIndex;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** The events of commits, filtered by the query. */
record EventContents(SliceIndex index, SliceQuery query) implements RowContents<ReadEvent> {

    @Override
    public CompletionStage<Contents<ReadEvent>> of(List<Delivery> deliveries) {
        return index.events(deliveries.stream().map(Delivery::row).toList())
                .thenApply(events -> new Contents<>(filtered(deliveries, events), events.size()));
    }

    private List<ReadEvent> filtered(List<Delivery> deliveries, List<List<StoredEvent>> events) {
        List<ReadEvent> filtered = new ArrayList<>();
        long now = index.nowMicros();
        for (int i = 0; i < events.size(); i++) {
            long from = deliveries.get(i).fromSeqNr();
            for (StoredEvent event : events.get(i)) {
                ReadEvent read = new ReadEvent(event, now);
                if (event.seqNr() >= from && query.includes(read)) {
                    filtered.add(read);
                }
            }
        }
        return filtered;
    }
}
