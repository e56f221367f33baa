package io.dynajournal.internal.dynamo;

import io.dynajournal.internal.dynamo.ThrottleSignal.Side;
import io.dynajournal.listener.Lane;
import io.dynajournal.listener.ThrottlingReason;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A pace for everything that throttles by itself: the account, a table, its reads, its writes, its indexes. A request keeps to each
 * that concerns it. Not thread-safe; the time is an argument.
 */
final class Paces {

    private static final String ACCOUNT = "";

    private enum Part {
        ALL,
        READS,
        WRITES,
        INDEX_READS
    }

    private record Scope(String table, Part part) {}

    private final Map<Scope, Pace> paces = new HashMap<>();
    private final Map<RequestKind, List<Pace>> ofKinds = new HashMap<>();

    boolean admits(RequestKind kind, long now) {
        for (Pace pace : of(kind)) {
            if (!pace.admits(kind.lane(), now)) {
                return false;
            }
        }
        return true;
    }

    /** How long until a request of this kind may be sent. */
    long waitNanos(RequestKind kind, long now) {
        return of(kind).stream()
                .mapToLong(pace -> pace.waitNanos(kind.lane(), now))
                .max()
                .orElse(0);
    }

    /** Whether requests of this kind are slowed down now. */
    boolean limits(RequestKind kind, long now) {
        return kind.lane() != Lane.WRITE && of(kind).stream().anyMatch(pace -> pace.limits(now));
    }

    void sent(RequestKind kind) {
        of(kind).forEach(pace -> pace.sent(kind.lane()));
    }

    void served(RequestKind kind, long now) {
        of(kind).forEach(pace -> pace.served(now));
    }

    /** A hot key slows nothing down but its own request. */
    void throttled(RequestKind kind, ThrottleSignal signal, long sentAt, long now) {
        if (signal.reason() != ThrottlingReason.HOT_KEY) {
            pace(scope(kind, signal)).throttled(sentAt, now);
        }
    }

    private static Scope scope(RequestKind kind, ThrottleSignal signal) {
        if (signal.reason() == ThrottlingReason.ACCOUNT) {
            return new Scope(ACCOUNT, part(signal.side()));
        }
        // A query of an index has the lane of queries; writes feel an index like their table.
        boolean ofIndex = signal.reason() == ThrottlingReason.INDEX && signal.side() == Side.READ;
        return new Scope(kind.table(), ofIndex && kind.lane() == Lane.QUERY ? Part.INDEX_READS : part(signal.side()));
    }

    private static Part part(Side side) {
        return switch (side) {
            case BOTH -> Part.ALL;
            case READ -> Part.READS;
            case WRITE -> Part.WRITES;
        };
    }

    private List<Pace> of(RequestKind kind) {
        List<Pace> known = ofKinds.get(kind);
        if (known != null) {
            return known;
        }
        Part side = kind.isWrite() ? Part.WRITES : Part.READS;
        List<Pace> all = new ArrayList<>(List.of(
                pace(new Scope(ACCOUNT, Part.ALL)),
                pace(new Scope(ACCOUNT, side)),
                pace(new Scope(kind.table(), Part.ALL)),
                pace(new Scope(kind.table(), side))));
        if (!kind.isWrite() && kind.lane() == Lane.QUERY) {
            all.add(pace(new Scope(kind.table(), Part.INDEX_READS)));
        }
        ofKinds.put(kind, all);
        return all;
    }

    private Pace pace(Scope scope) {
        return paces.computeIfAbsent(scope, first -> new Pace());
    }
}
