package io.dynajournal.internal.dynamo;

import io.dynajournal.listener.ThrottlingReason;
import java.util.List;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.ProvisionedThroughputExceededException;
import software.amazon.awssdk.services.dynamodb.model.RequestLimitExceededException;
import software.amazon.awssdk.services.dynamodb.model.ThrottlingException;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/**
 * What a throttled answer says, from its machine-readable reasons such as {@code TableWriteProvisionedThroughputExceeded}.
 *
 * @param side reads or writes, or both if DynamoDB does not say
 */
record ThrottleSignal(ThrottlingReason reason, Side side) {

    /** What of a table is throttled. */
    enum Side {
        BOTH,
        READ,
        WRITE
    }

    static final ThrottleSignal UNKNOWN = new ThrottleSignal(ThrottlingReason.UNKNOWN, Side.BOTH);

    /** Null if the failure is not about throttling. */
    static @Nullable ThrottleSignal of(Throwable failure) {
        if (failure instanceof TransactionCanceledException cancelled) {
            return Failures.isRetryable(cancelled)
                            && cancelled.cancellationReasons().stream().anyMatch(reason -> isThrottling(reason.code()))
                    ? UNKNOWN
                    : null;
        }
        if (!Failures.isThrottling(failure)) {
            return null;
        }
        // Of several reasons the widest counts: a hot key alone slows nothing else down.
        return reasons(failure).stream()
                .map(software.amazon.awssdk.services.dynamodb.model.ThrottlingReason::reason)
                .map(ThrottleSignal::parsed)
                .max((one, other) -> one.reason().compareTo(other.reason()))
                .orElse(
                        failure instanceof RequestLimitExceededException
                                ? new ThrottleSignal(ThrottlingReason.ACCOUNT, Side.BOTH)
                                : UNKNOWN);
    }

    /** The reasons of the answer; empty if it has none. */
    static List<software.amazon.awssdk.services.dynamodb.model.ThrottlingReason> reasons(Throwable failure) {
        if (failure instanceof ProvisionedThroughputExceededException e) {
            return e.throttlingReasons();
        }
        if (failure instanceof RequestLimitExceededException e) {
            return e.throttlingReasons();
        }
        return failure instanceof ThrottlingException e ? e.throttlingReasons() : List.of();
    }

    private static boolean isThrottling(@Nullable String code) {
        return "ProvisionedThroughputExceeded".equals(code) || "ThrottlingError".equals(code);
    }

    /** A reason is resource, operation and limit in one word: {@code Table|Index}, {@code Read|Write}, then the limit. */
    static ThrottleSignal parsed(@Nullable String reason) {
        if (reason == null) {
            return UNKNOWN;
        }
        Side side = reason.contains("Write") ? Side.WRITE : reason.contains("Read") ? Side.READ : Side.BOTH;
        if (reason.contains("KeyRange")) {
            return new ThrottleSignal(ThrottlingReason.HOT_KEY, side);
        }
        if (reason.contains("Account")) {
            return new ThrottleSignal(ThrottlingReason.ACCOUNT, side);
        }
        if (reason.startsWith("Index")) {
            return new ThrottleSignal(ThrottlingReason.INDEX, side);
        }
        return new ThrottleSignal(reason.startsWith("Table") ? ThrottlingReason.TABLE : ThrottlingReason.UNKNOWN, side);
    }
}
