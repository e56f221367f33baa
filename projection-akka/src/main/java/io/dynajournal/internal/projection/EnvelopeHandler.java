package io.dynajournal.internal.projection;

import akka.Done;
import akka.actor.typed.ActorRef;
import akka.projection.internal.ActorHandlerInit;
import akka.projection.scaladsl.ActorHandler;
import akka.projection.scaladsl.Handler;
import io.dynajournal.internal.toolkit.EventTraces;
import io.dynajournal.listener.TraceContexts;
import java.util.function.Supplier;
import scala.concurrent.Future;

/**
 * Passes over envelopes whose events were filtered; their offsets are stored all the same. While the user's handler is called, the trace
 * context that was stored with the event is current.
 */
final class EnvelopeHandler<E> implements Handler<E> {

    private static final Future<Done> DONE = Future.successful(Done.getInstance());

    private final Handler<E> users;
    private final Supplier<EventTraces> traces;
    private final Delivered<E> delivered = Delivered.one();

    private EnvelopeHandler(Handler<E> users, Supplier<EventTraces> traces) {
        this.users = users;
        this.traces = traces;
    }

    /** @param traces of the run that calls the handler; asked for with each envelope */
    static <E> Handler<E> of(Handler<E> users, Supplier<EventTraces> traces) {
        EnvelopeHandler<E> handler = new EnvelopeHandler<>(users, traces);
        return users instanceof ActorHandlerInit<?> init ? new OfActor<>(handler, init) : handler;
    }

    @Override
    @SuppressWarnings("try") // the scope is only closed
    public Future<Done> process(E envelope) {
        if (EnvelopeFlags.isFiltered(envelope)) {
            return DONE;
        }
        try (TraceContexts.Scope restored = traces.get().restore(delivered.metadata(envelope))) {
            return users.process(envelope);
        }
    }

    @Override
    public Future<Done> start() {
        return users.start();
    }

    @Override
    public Future<Done> stop() {
        return users.stop();
    }

    /** The toolkit starts the actor of a handler only if it recognizes the handler's type. */
    private static final class OfActor<E, T> extends ActorHandler<E, T> {

        private final Handler<E> handler;
        private final ActorHandlerInit<T> init;

        private OfActor(Handler<E> handler, ActorHandlerInit<T> init) {
            super(init.behavior());
            this.handler = handler;
            this.init = init;
        }

        @Override
        public Future<Done> process(ActorRef<T> actor, E envelope) {
            init.setActor(actor);
            return handler.process(envelope);
        }

        @Override
        public Future<Done> start() {
            return handler.start();
        }

        @Override
        public Future<Done> stop() {
            return handler.stop();
        }
    }
}
