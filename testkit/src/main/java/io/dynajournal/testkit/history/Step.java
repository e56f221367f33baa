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
        START,
        /** One atomic write. */
        PERSIST,
        /** Several atomic writes in one batch, as after a burst of {@code persistAsync}. */
        PERSIST_BATCH,
        /** Several batches that do not wait for each other. */
        PERSIST_ASYNC,
        /** An atomic write that is too large for one item. */
        PERSIST_LARGE,
        /** A sequence number is used up by an event that cannot be serialized. */
        REJECT,
        SNAPSHOT,
        /** Deletes up to the last snapshot that was confirmed. */
        DELETE,
        /** Deletes without a snapshot. */
        DELETE_UNCOVERED,
        STOP,
        /** The node's process ends at once; a new one takes its place. */
        CRASH,
        /** Time passes. */
        PAUSE
    }

    @Override
    public String toString() {
        return "after " + pauseMillis + " ms: " + kind + (kind == Kind.PAUSE ? "" : " on node " + node)
                + (kind == Kind.PAUSE || kind == Kind.CRASH ? "" : ", entity " + entity + ", " + amount);
    }
}
