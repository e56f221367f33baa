package io.dynajournal.internal.dynamo;

import java.util.Locale;

/** A request was not sent in time, because its table throttles and other requests went before it. */
final class SlowedDownException extends Exception {

    private static final long serialVersionUID = 1L;

    SlowedDownException(RequestKind kind) {
        super("DynamoDB throttles table " + kind.table() + ", and "
                + kind.lane().name().toLowerCase(Locale.ROOT) + " requests had to wait");
    }
}
