package io.dynajournal.exception;

import org.jspecify.annotations.Nullable;

/**
 * What can go wrong with a table. Messages name the table, persistence id and sequence number; never payload bytes, never a
 * secret. They end with the anchor of the runbook in docs/operations.md. {@link #outcome()} shows whether the request may have changed something although it failed.
 */
public abstract sealed class StoreException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** What is known about a request that failed. */
    public enum Outcome {
        /** It changed nothing: it was rejected, never sent, or only read. */
        NOTHING_CHANGED,

        /**
         * It may have been carried out, because an attempt had no definite answer. Read again before writing; an entity does
         * so when it recovers.
         */
        UNKNOWN
    }

    private final Outcome outcome;

    private StoreException(String message, @Nullable Throwable cause, Outcome outcome) {
        super(message, cause);
        this.outcome = outcome;
    }

    private StoreException(String message, @Nullable Throwable cause) {
        this(message, cause, Outcome.NOTHING_CHANGED);
    }

    /** What has happened, and at the end the anchor of this exception in the runbook. */
    @Override
    public final String getMessage() {
        return RunbookCode.added(super.getMessage(), getClass());
    }

    /** What is known about the request that failed. A write of several requests may have changed something by the others. */
    public final Outcome outcome() {
        return outcome;
    }

    /** Another writer has written under this id: this one must stop. History is as the other left it. */
    public static final class WriteConflict extends StoreException {
        private static final long serialVersionUID = 1L;
        private final String persistenceId;
        private final long seqNr;
        private final String writer;
        private final String otherWriter;

        public WriteConflict(String persistenceId, long seqNr, String writer, String otherWriter, String detail) {
            this(persistenceId, seqNr, writer, otherWriter, detail, "nothing of this write was stored.");
        }

        private WriteConflict(
                String persistenceId, long seqNr, String writer, String otherWriter, String detail, String outcome) {
            super(
                    "Writer " + writer + " cannot write number " + seqNr + " of " + persistenceId + ": "
                            + (otherWriter.isEmpty() ? "another writer" : "writer " + otherWriter)
                            + " was there first. " + detail
                            + " Two entities with this id run at the same time, or this one lost contact for a while; "
                            + outcome,
                    null);
            this.persistenceId = persistenceId;
            this.seqNr = seqNr;
            this.writer = writer;
            this.otherWriter = otherWriter;
        }

        /** The write was stored, and only then the log turned out to be deleted at its sequence numbers. */
        public static WriteConflict afterDelete(String persistenceId, long seqNr, String writer, String detail) {
            return new WriteConflict(
                    persistenceId, seqNr, writer, "", detail, "a recovery may have seen this write in the meantime.");
        }

        public String persistenceId() {
            return persistenceId;
        }

        public long seqNr() {
            return seqNr;
        }

        public String writer() {
            return writer;
        }

        public String otherWriter() {
            return otherWriter;
        }
    }

    /**
     * The durable state has another revision than this writer saw: another one has written, and this one must stop. If the stored
     * revision is higher than the one to be written, the outcome is unknown: after a lost reply, another writer may have replaced
     * what this one had stored.
     */
    public static final class RevisionConflict extends StoreException {
        private static final long serialVersionUID = 1L;
        private final String persistenceId;
        private final long revision;
        private final long storedRevision;

        /** @param storedRevision 0 if there is no state */
        public RevisionConflict(
                String persistenceId, long revision, String writer, long storedRevision, String otherWriter) {
            super(
                    "Writer " + writer + " cannot write revision " + revision + " of " + persistenceId + ": "
                            + (storedRevision == 0
                                    ? "there is no state to follow"
                                    : "revision " + storedRevision + " is there, by writer "
                                            + (otherWriter.isEmpty() ? "unknown" : otherWriter))
                            + ". Two entities with this id run at the same time, or this one lost contact for a while; "
                            + (storedRevision > revision
                                    ? "whether this write was stored, and replaced by a later one, is unknown."
                                    : "nothing of this write was stored."),
                    null,
                    storedRevision > revision ? Outcome.UNKNOWN : Outcome.NOTHING_CHANGED);
            this.persistenceId = persistenceId;
            this.revision = revision;
            this.storedRevision = storedRevision;
        }

        public String persistenceId() {
            return persistenceId;
        }

        public long revision() {
            return revision;
        }

        public long storedRevision() {
            return storedRevision;
        }
    }

    /**
     * Another instance of a projection has stored offsets that this one did not know: this one must stop. Nothing of the
     * write was stored, neither the offset nor the items of the handler.
     */
    public static final class OffsetConflict extends StoreException {
        private static final long serialVersionUID = 1L;

        public OffsetConflict(String message) {
            super(message, null);
        }
    }

    /** Sequence numbers are missing from a log although nothing deleted them: recovery fails rather than guess. */
    public static final class LogDamaged extends StoreException {
        private static final long serialVersionUID = 1L;

        public LogDamaged(String message) {
            super(message, null);
        }
    }

    /** The log was changed by a delete while it was being read: read it again. */
    public static final class LogMoved extends StoreException {
        private static final long serialVersionUID = 1L;

        public LogMoved(String message) {
            super(message, null);
        }
    }

    /** A stored item does not have the form it must have. */
    public static final class CorruptItem extends StoreException {
        private static final long serialVersionUID = 1L;

        public CorruptItem(String message, @Nullable Throwable cause) {
            super(message, cause);
        }
    }

    /** DynamoDB throttled the request until its timeout; the message has the reasons. */
    public static final class Throttled extends StoreException {
        private static final long serialVersionUID = 1L;

        public Throttled(String message, Throwable cause) {
            this(message, cause, Outcome.NOTHING_CHANGED);
        }

        public Throttled(String message, Throwable cause, Outcome outcome) {
            super(message, cause, outcome);
        }
    }

    /**
     * DynamoDB could not be reached or gave no definite answer within the timeout, or the request was not sent; {@link
     * #outcome()} says whether a write may have been stored.
     */
    public static final class Unavailable extends StoreException {
        private static final long serialVersionUID = 1L;

        public Unavailable(String message, @Nullable Throwable cause) {
            this(message, cause, Outcome.NOTHING_CHANGED);
        }

        public Unavailable(String message, @Nullable Throwable cause, Outcome outcome) {
            super(message, cause, outcome);
        }
    }

    /** DynamoDB rejected the request, and would again: a missing table, a missing permission, a bad request. */
    public static final class Refused extends StoreException {
        private static final long serialVersionUID = 1L;

        public Refused(String message, @Nullable Throwable cause) {
            this(message, cause, Outcome.NOTHING_CHANGED);
        }

        public Refused(String message, @Nullable Throwable cause, Outcome outcome) {
            super(message, cause, outcome);
        }
    }

    /** An item would be larger than the table or a setting allows. Nothing was sent, so the write may be rejected. */
    public static final class ItemTooLarge extends StoreException {
        private static final long serialVersionUID = 1L;
        private final String persistenceId;
        private final long seqNr;
        private final int size;
        private final int limit;

        public ItemTooLarge(String table, String persistenceId, long seqNr, int size, int limit) {
            this(table, persistenceId, seqNr, size, limit, "");
        }

        /** @param why what makes the limit lower than expected; empty if nothing does */
        public ItemTooLarge(String table, String persistenceId, long seqNr, int size, int limit, String why) {
            super(
                    "Number " + seqNr + " of " + persistenceId + " takes an item of " + size + " bytes in table "
                            + table + ", and no more than " + limit + " are allowed"
                            + (why.isEmpty() ? "" : ", because " + why) + "; nothing was stored.",
                    null);
            this.persistenceId = persistenceId;
            this.seqNr = seqNr;
            this.size = size;
            this.limit = limit;
        }

        /** The size of the item in bytes. */
        public int size() {
            return size;
        }

        /** The maximum size in bytes. */
        public int limit() {
            return limit;
        }

        public String persistenceId() {
            return persistenceId;
        }

        public long seqNr() {
            return seqNr;
        }
    }
}
