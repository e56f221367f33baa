package io.dynajournal.query;

import io.dynajournal.QueryListener;
import io.dynajournal.slices.SliceReader;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells the listener and the log how one query is doing, not too often. Belongs to the query's stage. */
final class Watch {

    private static final Logger log = LoggerFactory.getLogger(Watch.class);
    private static final long PROGRESS = Duration.ofSeconds(1).toNanos() / 1000;
    private static final long WARNINGS = Duration.ofSeconds(30).toNanos() / 1000;
    private static final long NEVER = Long.MIN_VALUE / 2;

    private final QueryListener listener;
    private final String query;
    private long told = NEVER;
    private long warned = NEVER;
    private long delivered;

    Watch(QueryListener listener, String query) {
        this.listener = listener;
        this.query = query;
    }

    void delivered() {
        delivered++;
    }

    void at(SliceReader reader, long now) {
        long readTo = reader.readTo();
        if (now - told >= PROGRESS && readTo >= 0) {
            told = now;
            listener.progressed(
                    new QueryListener.Progress(query, delivered, Envelopes.instant(readTo), reader.missedSoFar()));
        }
    }

    /** @param retry when it tries again */
    void stuck(Throwable cause, Duration retry, long now) {
        listener.stuck(query, cause);
        if (now - warned >= WARNINGS) {
            warned = now;
            log.warn("The {} is stuck, and tries again in {} ms: {}", query, retry.toMillis(), cause.getMessage());
        }
    }
}
