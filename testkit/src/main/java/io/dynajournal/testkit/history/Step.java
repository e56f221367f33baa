package io.dynajournal.testkit.history;

/**
 * One command of a program. Commands do not wait for each other: the pause decides how far the one before has come.
 *
 * @param entity which entity, from 0
 * @param node where, from 0
 * @param amount events, sizes or sequence numbers, as the kind takes it
 * @param pauseMillis how long after the command before
 */
record Step(Kind kind, int entity, int node, int amount, long pauseMillis) {

    enum Kind {
        /** The entity starts on the node and recovers, wherever else it may be alive. */
        START(18),
        /** One atomic write. */
        PERSIST(18),
        /** Several atomic writes in one batch, as after a burst of {@code persistAsync}. */
        PERSIST_BATCH(8),
        /** Several batches that do not wait for each other. */
        PERSIST_ASYNC(8),
        /** All entities of the node write at the same time. */
        PERSIST_TOGETHER(5),
        /** The entity writes at the same time wherever it is alive. */
        PERSIST_EVERYWHERE(4),
        /** An atomic write that is too large for one item. */
        PERSIST_LARGE(4),
        /** Sequence numbers are used up by events that cannot be serialized. */
        REJECT(5),
        SNAPSHOT(9),
        /** The entity takes a snapshot wherever it is alive. */
        SNAPSHOT_EVERYWHERE(5),
        /** A snapshot, and after it a delete of what it covers, as retention criteria do. */
        RETAIN(6),
        /** Deletes up to the last snapshot that was confirmed. */
        DELETE(8),
        /** Deletes without a snapshot. */
        DELETE_UNCOVERED(5),
        /** Lets events expire. */
        EXPIRE(2),
        /** Reads a range of events. */
        READ(7),
        /** The live query of slices starts, or stops. */
        QUERY(4),
        STOP(5),
        /** The entity stops and starts again on the same node at once, whatever is in flight. */
        RESTART(4),
        /** The node's process ends at once; a new one takes its place. */
        CRASH(4),
        /** For a while most requests of the node, to all tables or to one, have the same fault. */
        OUTAGE(5),
        /** The clock of the node's machine is set, forwards or backwards. */
        SET_CLOCK(2),
        /** All processes end in order and start again with other settings. */
        CHANGE_SETTINGS(1),
        /** Time passes. */
        PAUSE(3);

        private final int usual;

        Kind(int usual) {
            this.usual = usual;
        }

        /** How often it occurs, compared with others. */
        int usual() {
            return usual;
        }

        private boolean isOfEntity() {
            return this != PAUSE && this != CRASH && this != OUTAGE && this != SET_CLOCK && this != CHANGE_SETTINGS;
        }
    }

    @Override
    public String toString() {
        return "after " + pauseMillis + " ms: " + kind
                + (kind == Kind.PAUSE || kind == Kind.CHANGE_SETTINGS ? "" : " on node " + node)
                + (kind.isOfEntity() ? ", entity " + entity : "")
                + (kind == Kind.CRASH || kind == Kind.CHANGE_SETTINGS ? "" : ", " + amount);
    }
}
