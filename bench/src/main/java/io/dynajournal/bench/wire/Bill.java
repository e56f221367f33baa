package io.dynajournal.bench.wire;

/**
 * What an exchange took.
 *
 * @param bytes of request and answer together, without what the proxy asked for
 * @param consistent whether a read was consistent; true for what is no read
 */
public record Bill(
        int itemsWritten,
        int itemsRead,
        double writeUnits,
        double readUnits,
        long bytes,
        boolean read,
        boolean consistent) {}
