package io.dynajournal.bench.wire;

/**
 * The cost of a request.
 *
 * @param bytes of both bodies, without the capacity that the proxy asked for
 * @param consistent whether a read was consistent; true for writes
 */
public record RequestCost(
        int itemsWritten,
        int itemsRead,
        double writeUnits,
        double readUnits,
        long bytes,
        boolean read,
        boolean consistent) {}
