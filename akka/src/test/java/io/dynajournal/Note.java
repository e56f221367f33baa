package io.dynajournal;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.persistence.typed.PersistenceId;
import akka.persistence.typed.state.RecoveryCompleted;
import akka.persistence.typed.state.javadsl.CommandHandler;
import akka.persistence.typed.state.javadsl.DurableStateBehavior;
import akka.persistence.typed.state.javadsl.EffectBuilder;
import akka.persistence.typed.state.javadsl.SignalHandler;

/** A text as a durable state; its observer hears of it after every change. */
final class Note extends DurableStateBehavior<Note.Command, String> {

    sealed interface Command {}

    record Write(String text) implements Command {}

    record Erase() implements Command {}

    record Stop() implements Command {}

    record Holds(String text) {}

    private final ActorRef<Object> observer;
    private final String store;

    private Note(String id, ActorRef<Object> observer, String store) {
        super(PersistenceId.ofUniqueId(id));
        this.observer = observer;
        this.store = store;
    }

    static Behavior<Command> of(String id, ActorRef<Object> observer, String store) {
        return new Note(id, observer, store);
    }

    @Override
    public String durableStateStorePluginId() {
        return store;
    }

    @Override
    public String tag() {
        return "note";
    }

    @Override
    public String emptyState() {
        return "";
    }

    @Override
    public CommandHandler<Command, String> commandHandler() {
        return newCommandHandlerBuilder()
                .forAnyState()
                .onCommand(Write.class, write -> Effect().persist(write.text()).thenRun(this::show))
                .onCommand(Erase.class, erase -> delete().thenRun(this::show))
                .onCommand(Stop.class, stop -> Effect().stop())
                .build();
    }

    /** The older toolkits' Java API has no delete(), but Scala's effects are Java's as well. */
    @SuppressWarnings("unchecked")
    private static EffectBuilder<String> delete() {
        Object effect = akka.persistence.typed.state.scaladsl.Effect.<String>delete();
        return (EffectBuilder<String>) effect;
    }

    private void show(String state) {
        observer.tell(new Holds(state));
    }

    @Override
    public SignalHandler<String> signalHandler() {
        return newSignalHandlerBuilder()
                .onSignal(RecoveryCompleted.instance(), this::show)
                .build();
    }
}
