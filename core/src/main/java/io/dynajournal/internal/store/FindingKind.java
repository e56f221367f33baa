package io.dynajournal.internal.store;

import java.util.Locale;

/** What can be wrong with a store: what it means, and what to do, in a sentence each. */
public enum FindingKind {
    GAP(
            "Sequence numbers are missing from a log and no delete explains it: an event was rejected, or an item was lost.",
            "Restore the items from a backup. On a predecessor's table it may be a rejected event, which is harmless."),
    DAMAGED_ITEM(
            "An item does not have the form that it must have, so that its entity cannot recover.",
            "Restore the item from a backup, and find what else writes to the table."),
    INTERLEAVED_WRITERS(
            "Two incarnations of an entity wrote in turn: the entity ran twice at the same time.",
            "Compare the events around it; look for a split cluster, or two clusters on one table."),
    INCOMPLETE_WRITE(
            "Of an atomic write only some events are stored; they were never acknowledged, and recoveries skip them.",
            "Nothing: it is harmless. A delete of the log up to there removes it."),
    ORPHANED_PARTS(
            "Parts of a large write that can never be read: the place of its commit was taken by something else.",
            "Delete them with --repair; they only cost storage."),
    UNCLAIMED_PARTS(
            "Parts of a large write whose head was not stored: its writer stopped in between.",
            "Delete them with --repair; they only cost storage."),
    UNFINISHED_DELETE(
            "A delete has marked events as deleted and was interrupted before it removed their items.",
            "Complete it with --repair; the events are not replayed, and only cost storage."),
    EXPIRING_TOMBSTONE(
            "The tombstone that keeps the highest sequence number expires: after that the entity begins at 1 again.",
            "Remove its expiry attribute before DynamoDB removes the item, and find what has set it."),
    NOT_INDEXED(
            "An event is not where queries by slice look for it, so that projections miss it.",
            "Check the index of the table; on akka2 correct the attribute entity_type_slice of the item."),
    UNLISTED_ID(
            "The index of persistence ids does not show a log, so that lists, copies and clean-ups leave it out.",
            "Add the attribute with --repair, or restore the first item of the log."),
    LOW_HIGH_MARK(
            "The high mark is below the end of its log, so that the predecessor would recover too little of it.",
            "Raise it with --repair, before an entity runs on the predecessor's plugin again."),
    HIGH_MARK_AHEAD(
            "The high mark is above the end of its log: events were lost, or their writer stopped before it stored them.",
            "Compare with a backup. The predecessor's plugin would continue above the mark and leave a gap."),
    OTHER_KEY(
            "Rows are under keys that the configured resolvers do not return, as after a change of the resolvers.",
            "Keep look-for-other-keys = on, or copy the log into a new table."),
    KEY_COLLISION(
            "The resolvers return one key for two persistence ids, which overwrite or block each other's rows.",
            "Move to the layout commits, or to resolvers that give each persistence id its own keys. An overwritten row is lost."),
    SNAPSHOT_AHEAD(
            "A snapshot is newer than the end of its log, as after a restore of the journal to an earlier time.",
            "Restore the journal to a later time, or delete the snapshot with cleanup --delete snapshots."),
    OFFSET_AHEAD(
            "A projection has an offset above the end of a log: it will skip the events that are written next.",
            "Set or clear the projection's offset, with projections set or clear, after the journal is as it must be."),
    EXPIRY_OFF(
            "The settings let items expire, and the table does not remove them.",
            "Enable the table's time to live; dynajournal tables create does.");

    private final String meaning;
    private final String advice;

    FindingKind(String meaning, String advice) {
        this.meaning = meaning;
        this.advice = advice;
    }

    public String meaning() {
        return meaning;
    }

    public String advice() {
        return advice;
    }

    /** As it is printed. */
    public String title() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Whether a write that takes long looks the same until it is complete, so that it is checked again much later. */
    public boolean mayBeSlowWrite() {
        return this == UNCLAIMED_PARTS;
    }
}
