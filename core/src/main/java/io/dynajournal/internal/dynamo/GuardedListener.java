package io.dynajournal.internal.dynamo;

import io.dynajournal.listener.RequestEvent;
import io.dynajournal.listener.RequestListener;
import io.dynajournal.listener.RetryEvent;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps what a listener throws away from the requests; the first throwable is logged. Thread-safe. */
final class GuardedListener implements RequestListener {

    private static final Logger log = LoggerFactory.getLogger(GuardedListener.class);

    private final RequestListener listener;
    private final AtomicBoolean failed = new AtomicBoolean();

    GuardedListener(RequestListener listener) {
        this.listener = listener;
    }

    @Override
    public void onRequest(RequestEvent event) {
        guard(listener::onRequest, event);
    }

    @Override
    public void onRetry(RetryEvent event) {
        guard(listener::onRetry, event);
    }

    private <E> void guard(Consumer<E> callback, E event) {
        try {
            callback.accept(event);
        } catch (Throwable t) {
            if (failed.compareAndSet(false, true)) {
                log.warn(
                        "The request listener {} has failed. Its metrics may be wrong; requests go on. Further failures of"
                                + " this listener are not logged.",
                        listener.getClass().getName(),
                        t);
            }
        }
    }
}
