package io.dynajournal.query;

import io.dynajournal.model.StoredState;
import io.dynajournal.slices.Delivery;
import io.dynajournal.store.StateIndex;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * The states that rows lead to, as they are now: a state that is replaced all the time would otherwise never be seen. What was
 * handed out before its own row came is remembered until that comes, so that each state is handed out once.
 */
final class StateContents implements RowContents<FoundState> {

    private final StateIndex index;
    private final SliceQuery query;
    // By id: the time of a state that was handed out ahead of its row. Only one call runs at a time.
    private final Map<String, Long> ahead = new HashMap<>();

    StateContents(StateIndex index, SliceQuery query) {
        this.index = index;
        this.query = query;
    }

    @Override
    public CompletionStage<List<FoundState>> of(List<Delivery> deliveries) {
        return index.states(deliveries.stream().map(Delivery::row).toList())
                .thenApply(states -> wanted(deliveries, states));
    }

    private List<FoundState> wanted(List<Delivery> deliveries, List<Optional<StoredState>> states) {
        List<FoundState> wanted = new ArrayList<>();
        long now = index.nowMicros();
        for (int i = 0; i < deliveries.size(); i++) {
            long rowMicros = deliveries.get(i).row().timestampMicros();
            states.get(i)
                    .filter(state -> isNew(state, rowMicros) && query.wants(state))
                    .ifPresent(state -> {
                        wanted.add(new FoundState(state, rowMicros, now));
                    });
        }
        return wanted;
    }

    private boolean isNew(StoredState state, long rowMicros) {
        String id = state.persistenceId();
        long time = state.timestampMicros();
        long handedOut = ahead.getOrDefault(id, Long.MIN_VALUE);
        if (time > rowMicros) {
            ahead.put(id, time);
        } else {
            ahead.remove(id);
        }
        return time > handedOut;
    }
}
