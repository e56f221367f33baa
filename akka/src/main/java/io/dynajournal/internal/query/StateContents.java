package io.dynajournal.internal.query;

import io.dynajournal.internal.model.StoredState;
import io.dynajournal.internal.slices.Delivery;
import io.dynajournal.internal.store.StateIndex;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * The states of rows as the table has them now, because a state that is replaced all the time would otherwise never be
 * delivered. A state that was delivered before its own row is remembered until that row comes, so each is delivered once.
 */
final class StateContents implements RowContents<ReadState> {

    private final StateIndex index;
    private final SliceQuery query;
    // By id: the time of a state that was delivered before its row. Only one call runs at a time.
    private final Map<String, Long> deliveredAhead = new HashMap<>();

    StateContents(StateIndex index, SliceQuery query) {
        this.index = index;
        this.query = query;
    }

    @Override
    public CompletionStage<Contents<ReadState>> of(List<Delivery> deliveries) {
        return index.states(deliveries.stream().map(Delivery::row).toList())
                .thenApply(states -> new Contents<>(filtered(deliveries, states), states.size()));
    }

    private List<ReadState> filtered(List<Delivery> deliveries, List<Optional<StoredState>> states) {
        List<ReadState> filtered = new ArrayList<>();
        long now = index.nowMicros();
        for (int i = 0; i < states.size(); i++) {
            long rowMicros = deliveries.get(i).row().timestampMicros();
            states.get(i)
                    .filter(state -> isNew(state, rowMicros) && query.includes(state))
                    .ifPresent(state -> filtered.add(new ReadState(state, rowMicros, now)));
        }
        return filtered;
    }

    private boolean isNew(StoredState state, long rowMicros) {
        String id = state.persistenceId();
        long time = state.timestampMicros();
        long delivered = deliveredAhead.getOrDefault(id, Long.MIN_VALUE);
        if (time > rowMicros) {
            deliveredAhead.put(id, time);
        } else {
            deliveredAhead.remove(id);
        }
        return time > delivered;
    }
}
