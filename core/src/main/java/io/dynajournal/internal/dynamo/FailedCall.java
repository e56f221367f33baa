package io.dynajournal.internal.dynamo;

import io.dynajournal.exception.StoreException.Outcome;
import java.time.Duration;
import java.util.Locale;

/**
 * What is known about a request that has failed.
 *
 * @param mayBeDone whether an attempt had no definite answer, so that a write may have been carried out
 */
record FailedCall(Request<?, ?> request, String endpoint, int attempts, Duration elapsed, boolean mayBeDone) {

    /** Such as "after 3 attempts in 8.0 s". */
    String effort() {
        return "after " + attempts + (attempts == 1 ? " attempt" : " attempts") + " in " + time();
    }

    String time() {
        return elapsed.toMillis() < 1000
                ? elapsed.toMillis() + " ms"
                : String.format(Locale.ROOT, "%.1f s", elapsed.toMillis() / 1000.0);
    }

    Outcome outcome() {
        return request.isWrite() && mayBeDone ? Outcome.UNKNOWN : Outcome.NOTHING_CHANGED;
    }

    /** A sentence about what a write has left; empty for a read. */
    String outcomeText() {
        if (!request.isWrite()) {
            return "";
        }
        return mayBeDone ? " Whether it was carried out is unknown." : " Nothing was changed.";
    }
}
