package io.dynajournal.internal.query;

import akka.stream.Attributes;
import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.slices.SliceReader;
import io.dynajournal.listener.QueryListener;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reports the progress of one query to the listener and the log, at a limited rate. Belongs to the query's stream. */
final class QueryProgress {

    private static final Logger log = LoggerFactory.getLogger(QueryProgress.class);
    private static final long REPORT_INTERVAL_MICROS = Duration.ofSeconds(1).toNanos() / 1000;
    private static final long WARN_INTERVAL_MICROS = Duration.ofSeconds(30).toNanos() / 1000;
    private static final long NEVER = Long.MIN_VALUE / 2;

    /** The user's listener. One that throws does not break a query; the first failure is logged. Thread-safe. */
    static final class Reports {
        private final QueryListener listener;
        private final QueryListener latest;
        private final AtomicBoolean logged = new AtomicBoolean();

        /** @param latest keeps the reports for health checks */
        Reports(QueryListener listener, QueryListener latest) {
            this.listener = listener;
            this.latest = latest;
        }

        private void report(Consumer<QueryListener> call) {
            call.accept(latest);
            try {
                call.accept(listener);
            } catch (Exception | LinkageError | AssertionError e) {
                if (logged.compareAndSet(false, true)) {
                    log.warn(
                            "The query listener {} has thrown; queries continue. Further failures of it are not logged",
                            listener.getClass().getName(),
                            e);
                }
            }
        }
    }

    private final Reports reports;
    private final String query;
    private final @Nullable QueryObserver observer;
    private long reportedAt = NEVER;
    private long warnedStuckAt = NEVER;
    private long warnedFullAt = NEVER;
    private long delivered;

    QueryProgress(Reports reports, String query) {
        this(reports, query, Attributes.none());
    }

    /** @param attributes of the query's stream, which may have a {@link QueryObserver} */
    QueryProgress(Reports reports, String query, Attributes attributes) {
        this.reports = reports;
        this.query = query;
        this.observer = attributes.getAttribute(QueryObserver.class).orElse(null);
    }

    /** Whether a live query retries after this failure: throttling, or DynamoDB could not be reached. */
    static boolean isTransient(Throwable failure) {
        return failure instanceof StoreException.Throttled || failure instanceof StoreException.Unavailable;
    }

    void delivered() {
        delivered++;
    }

    /** @param allDelivered whether the stream has delivered what it has taken from the reader */
    void read(SliceReader reader, boolean allDelivered, long nowMicros) {
        long readTo = reader.readTo();
        if (observer != null && allDelivered && readTo >= 0) {
            observer.readTo(readTo);
        }
        if (nowMicros - reportedAt >= REPORT_INTERVAL_MICROS && readTo >= 0) {
            reportedAt = nowMicros;
            QueryListener.Progress progress =
                    new QueryListener.Progress(query, delivered, Envelopes.instant(readTo), reader.gapsFound());
            reports.report(listener -> listener.progressed(progress));
        }
        if (reader.isWaitingForRoom() && nowMicros - warnedFullAt >= WARN_INTERVAL_MICROS) {
            warnedFullAt = nowMicros;
            log.warn(
                    "The {} waits for backtracking, because {} entities wrote within the backtracking window. Raise"
                            + " tracked-entities to have it deliver without waiting",
                    query,
                    reader.trackedEntities());
        }
    }

    void stuck(Throwable cause, Duration retryAfter, long nowMicros) {
        QueryListener.Stuck stuck = new QueryListener.Stuck(query, cause, retryAfter);
        reports.report(listener -> listener.stuck(stuck));
        if (observer != null) {
            observer.stuck(cause);
        }
        if (nowMicros - warnedStuckAt >= WARN_INTERVAL_MICROS) {
            warnedStuckAt = nowMicros;
            log.warn("The {} is stuck and retries in {} ms: {}", query, retryAfter.toMillis(), cause.getMessage());
        }
    }
}
