package io.dynajournal.internal.state;

import io.dynajournal.internal.model.Payload;
import io.dynajournal.internal.model.StateChange;
import io.dynajournal.internal.model.StoredState;
import io.dynajournal.internal.plugin.OpenedStates;
import io.dynajournal.internal.plugin.PluginStartup;
import io.dynajournal.internal.plugin.WriteNotifications;
import io.dynajournal.internal.store.Stages;
import io.dynajournal.internal.toolkit.PayloadSerde;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The core's states for the toolkit's objects. Writes of one persistence id are serialized and sent one after another, and a
 * read waits for the writes of its persistence id that are in flight in this process. No method throws or blocks; answers
 * arrive on the store's executor.
 */
public final class SerializingStates {

    /** How long a serializer and {@code StateColumns} may take together; nothing else bounds them. */
    private static final Duration CALLBACK_TIMEOUT = Duration.ofSeconds(10);

    /**
     * A state as an object.
     *
     * @param state empty if there is none, or if it was deleted
     * @param revision also of a deleted state; 0 if there was never one
     */
    public record CurrentState<A>(Optional<A> state, long revision) {}

    private final PluginStartup<OpenedStates> startup;
    private final PayloadSerde serde;
    private final WriteNotifications notifications;
    private final Duration callbackTimeout;

    public SerializingStates(
            PluginStartup<OpenedStates> startup, PayloadSerde serde, WriteNotifications notifications) {
        this(startup, serde, notifications, CALLBACK_TIMEOUT);
    }

    SerializingStates(
            PluginStartup<OpenedStates> startup,
            PayloadSerde serde,
            WriteNotifications notifications,
            Duration callbackTimeout) {
        this.startup = startup;
        this.serde = serde;
        this.notifications = notifications;
        this.callbackTimeout = callbackTimeout;
    }

    public <A> CompletionStage<CurrentState<A>> get(String persistenceId) {
        return startup.use(
                persistenceId,
                states -> states.writes()
                        .idle(persistenceId)
                        .thenComposeAsync(idle -> states.table().get(persistenceId), states.executor())
                        .thenComposeAsync(stored -> this.<A>deserialize(stored), states.executor()));
    }

    @SuppressWarnings("unchecked") // only the entity knows the type of its state
    private <A> CompletionStage<CurrentState<A>> deserialize(Optional<StoredState> stored) {
        Payload payload = stored.map(StoredState::payload).orElse(null);
        long revision = stored.map(StoredState::revision).orElse(0L);
        return payload == null
                ? CompletableFuture.completedFuture(new CurrentState<>(Optional.empty(), revision))
                : serde.object(payload).thenApply(object -> new CurrentState<>(Optional.of((A) object), revision));
    }

    public CompletionStage<Void> upsert(String persistenceId, long revision, Object state, String tag) {
        return inTurn(
                persistenceId,
                states -> serialize(states, persistenceId, revision, state, tag).thenCompose(states.table()::write));
    }

    /** Off the turn's own thread, so that a callback that blocks is given up after the timeout and the turn ends. */
    private CompletionStage<StateChange> serialize(
            OpenedStates states, String persistenceId, long revision, Object state, String tag) {
        return CompletableFuture.supplyAsync(
                        () -> serde.payload(state)
                                .thenApply(payload -> new StateChange(
                                        persistenceId,
                                        revision,
                                        payload,
                                        tag,
                                        states.columns().columns(persistenceId, revision, state))),
                        states.executor())
                .thenCompose(change -> change)
                .orTimeout(callbackTimeout.toMillis(), TimeUnit.MILLISECONDS)
                .handleAsync((change, failure) -> outcome(persistenceId, revision, change, failure), states.executor())
                .thenCompose(Function.identity());
    }

    private CompletionStage<StateChange> outcome(
            String persistenceId, long revision, @Nullable StateChange change, @Nullable Throwable failure) {
        if (change != null) {
            return CompletableFuture.completedFuture(change);
        }
        Throwable cause = failure == null ? new NullPointerException("state change") : Stages.unwrap(failure);
        return CompletableFuture.failedFuture(
                cause instanceof TimeoutException
                        ? new IllegalStateException(
                                "Not sent: the serializer or the columns of " + persistenceId + ", revision " + revision
                                        + ", did not finish within " + callbackTimeout.toMillis()
                                        + " ms. Nothing was stored.",
                                cause)
                        : cause);
    }

    /** Deletes the state whatever its revision is. */
    public CompletionStage<Void> delete(String persistenceId) {
        return inTurn(persistenceId, states -> states.table().delete(persistenceId));
    }

    public CompletionStage<Void> delete(String persistenceId, long revision) {
        return inTurn(persistenceId, states -> states.table().write(StateChange.delete(persistenceId, revision)));
    }

    /** After the writes of the persistence id that are in flight: the toolkits continue before a delete has completed. */
    private CompletionStage<Void> inTurn(String persistenceId, Function<OpenedStates, CompletionStage<Void>> write) {
        return startup.use(states -> states.writes()
                .run(persistenceId, () -> write.apply(states))
                .whenCompleteAsync(
                        (written, failure) -> {
                            if (failure == null) {
                                notifications.written(persistenceId);
                            }
                        },
                        states.executor()));
    }
}
