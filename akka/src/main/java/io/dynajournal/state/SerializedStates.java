package io.dynajournal.state;

import io.dynajournal.Gate;
import io.dynajournal.OpenedStates;
import io.dynajournal.WriteNews;
import io.dynajournal.model.Payload;
import io.dynajournal.model.StateChange;
import io.dynajournal.model.StoredState;
import io.dynajournal.toolkit.PayloadSerde;
import io.dynajournal.toolkit.Turns;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The core's states in terms of the toolkit's objects. No method throws or blocks; answers arrive on the store's executor. */
final class SerializedStates {

    /** A state as an object, with its revision, which is there also when the state is deleted. */
    record Found<A>(Optional<A> state, long revision) {}

    private final Gate<OpenedStates> gate;
    private final PayloadSerde serde;
    private final WriteNews news;
    private final Turns turns = new Turns();

    SerializedStates(Gate<OpenedStates> gate, PayloadSerde serde, WriteNews news) {
        this.gate = gate;
        this.serde = serde;
        this.news = news;
    }

    <A> CompletionStage<Found<A>> get(String persistenceId) {
        return turns.quiet(persistenceId)
                .thenCompose(quiet -> gate.use(states -> states.table()
                        .get(persistenceId)
                        .thenComposeAsync(stored -> this.<A>found(stored), states.executor())));
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
        CompletionStage<Payload> serialized = serde.payload(state);
        return inTurn(
                persistenceId,
                states -> serialized.thenCompose(payload -> states.table()
                        .write(new StateChange(
                                persistenceId,
                                revision,
                                payload,
                                tag,
                                states.columns().columns(persistenceId, state)))));
    }

    /** Whatever its revision is. */
    CompletionStage<Void> delete(String persistenceId) {
        return inTurn(persistenceId, states -> states.table().delete(persistenceId));
    }

    CompletionStage<Void> delete(String persistenceId, long revision) {
        return inTurn(persistenceId, states -> states.table().write(StateChange.delete(persistenceId, revision)));
    }

    /** Behind the writes of the id that are on their way: the toolkits go on before a delete is done. */
    private CompletionStage<Void> inTurn(String persistenceId, Function<OpenedStates, CompletionStage<Void>> write) {
        return turns.next(
                persistenceId,
                () -> gate.use(
                        states -> write.apply(states).whenCompleteAsync(told(persistenceId), states.executor())));
    }

    private BiConsumer<@Nullable Void, @Nullable Throwable> told(String persistenceId) {
        return (done, failure) -> {
            if (failure == null) {
                news.written(persistenceId);
            }
        };
    }
}
