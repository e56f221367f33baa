package io.dynajournal.state;

import io.dynajournal.Gate;
import io.dynajournal.OpenedStates;
import io.dynajournal.WriteNews;
import io.dynajournal.model.Payload;
import io.dynajournal.model.StateChange;
import io.dynajournal.model.StoredState;
import io.dynajournal.toolkit.PayloadSerde;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The core's states in terms of the toolkit's objects. No method throws or blocks. */
final class SerializedStates {

    /** A state as an object, with its revision, which is there also when the state is deleted. */
    record Found<A>(Optional<A> state, long revision) {}

    private final Gate<OpenedStates> gate;
    private final PayloadSerde serde;
    private final WriteNews news;

    SerializedStates(Gate<OpenedStates> gate, PayloadSerde serde, WriteNews news) {
        this.gate = gate;
        this.serde = serde;
        this.news = news;
    }

    <A> CompletionStage<Found<A>> get(String persistenceId) {
        return gate.use(states ->
                states.table().get(persistenceId).thenComposeAsync(stored -> this.<A>found(stored), states.executor()));
    }

    @SuppressWarnings("unchecked") // of what type an entity's state is, only the entity knows
    private <A> CompletionStage<Found<A>> found(Optional<StoredState> stored) {
        Payload payload = stored.map(StoredState::payload).orElse(null);
        long revision = stored.map(StoredState::revision).orElse(0L);
        return payload == null
                ? CompletableFuture.completedFuture(new Found<>(Optional.empty(), revision))
                : serde.object(payload).thenApply(object -> new Found<>(Optional.of((A) object), revision));
    }

    CompletionStage<Void> upsert(String persistenceId, long revision, Object state, String tag) {
        return serde.payload(state)
                .thenCompose(payload -> gate.use(states -> states.table()
                        .write(new StateChange(
                                persistenceId,
                                revision,
                                payload,
                                tag,
                                states.columns().columns(persistenceId, state)))))
                .thenRun(() -> news.written(persistenceId));
    }

    /** Whatever its revision is. */
    CompletionStage<Void> delete(String persistenceId) {
        return gate.use(states -> states.table().delete(persistenceId)).thenRun(() -> news.written(persistenceId));
    }

    CompletionStage<Void> delete(String persistenceId, long revision) {
        return gate.use(states -> states.table().write(StateChange.delete(persistenceId, revision)))
                .thenRun(() -> news.written(persistenceId));
    }
}
