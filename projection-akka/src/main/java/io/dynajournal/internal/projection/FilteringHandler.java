package io.dynajournal.internal.projection;

import akka.Done;
import akka.actor.typed.ActorRef;
import akka.projection.internal.ActorHandlerInit;
import akka.projection.scaladsl.ActorHandler;
import akka.projection.scaladsl.Handler;
import scala.concurrent.Future;

/** Passes over envelopes whose events were filtered; their offsets are stored all the same. */
final class FilteringHandler<E> implements Handler<E> {

    private static final Future<Done> DONE = Future.successful(Done.getInstance());

    private final Handler<E> users;

    private FilteringHandler(Handler<E> users) {
        this.users = users;
    }

    /** A toolkit without filtered events needs none. */
    static <E> Handler<E> of(Handler<E> users) {
        if (!EnvelopeFlags.canBeFiltered()) {
            return users;
        }
        return users instanceof ActorHandlerInit<?> init ? new OfActor<>(users, init) : new FilteringHandler<>(users);
    }

    @Override
    public Future<Done> process(E envelope) {
        return EnvelopeFlags.isFiltered(envelope) ? DONE : users.process(envelope);
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

        private final Handler<E> users;
        private final ActorHandlerInit<T> init;

        private OfActor(Handler<E> users, ActorHandlerInit<T> init) {
            super(init.behavior());
            this.users = users;
            this.init = init;
        }

        @Override
        public Future<Done> process(ActorRef<T> actor, E envelope) {
            if (EnvelopeFlags.isFiltered(envelope)) {
                return DONE;
            }
            init.setActor(actor);
            return users.process(envelope);
        }

        @Override
        public Future<Done> start() {
            return users.start();
        }

        @Override
        public Future<Done> stop() {
            return users.stop();
        }
    }
}
