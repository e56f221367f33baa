package io.dynajournal.cli;

import io.dynajournal.cli.IdFilter.Time;
import io.dynajournal.cli.options.IdSelection;
import io.dynajournal.cli.options.SeqNr;
import io.dynajournal.cli.terminal.UsageException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What is deleted of each persistence id. */
final class CleanupTask {

    @Option(
            names = "--delete",
            required = true,
            paramLabel = "<what>",
            description = "events; before-snapshot: the events up to the newest snapshot, inclusive, and older"
                    + " snapshots; snapshots; all: events, then snapshots; states; tombstones: what deleted states"
                    + " leave.")
    private CleanupWhat what = CleanupWhat.EVENTS;

    @Option(
            names = "--to",
            paramLabel = "<seqNr>",
            converter = SeqNr.class,
            description = "With events of one persistence id: only up to this sequence number, inclusive.")
    private @Nullable Long to;

    @Option(
            names = "--before",
            paramLabel = "<time>",
            converter = Time.class,
            description = "With events: only those written before this time, such as 2026-11-18T10:00:00Z, up to the"
                    + " first that was not. With states: only those that have not changed since.")
    private @Nullable Instant before;

    @Option(
            names = "--reset",
            description = "Forget the highest sequence number or revision: the next one is 1. No entity of these"
                    + " persistence ids may run.")
    private boolean reset;

    CleanupWhat what() {
        return what;
    }

    /** {@link Long#MAX_VALUE} for all. */
    long toSeqNr() {
        return to == null ? Long.MAX_VALUE : to;
    }

    /** Null for no limit. */
    @Nullable
    Long beforeMicros() {
        return before == null ? null : ChronoUnit.MICROS.between(Instant.EPOCH, before);
    }

    boolean isReset() {
        return reset;
    }

    /** @throws UsageException if the options contradict each other */
    void check(IdSelection ids) {
        if (to != null && (what != CleanupWhat.EVENTS || !ids.isSingle())) {
            throw new UsageException("--to requires --delete events and one persistence id");
        }
        if (before != null && what != CleanupWhat.EVENTS && what != CleanupWhat.STATES) {
            throw new UsageException("--before requires --delete events or --delete states");
        }
        if (to != null && before != null) {
            throw new UsageException("--to and --before exclude each other");
        }
        if (reset && (!what.canReset() || to != null || before != null)) {
            throw new UsageException("--reset requires --delete events, all or states, without --to and --before");
        }
    }

    /** What is deleted, for the plan. */
    String described() {
        return switch (what) {
            case EVENTS ->
                to != null
                        ? "the events up to sequence number " + to
                        : before != null ? "the events written before " + before : "all events";
            case BEFORE_SNAPSHOT -> "the events up to the newest snapshot, inclusive, and older snapshots,";
            case SNAPSHOTS -> "all snapshots";
            case ALL -> "all events and snapshots";
            case STATES -> before != null ? "the states that have not changed since " + before : "the states";
            case TOMBSTONES -> "the tombstones of deleted states";
        };
    }

    /** What follows for the entities. */
    String consequence() {
        if (reset) {
            return "The highest " + number() + " is forgotten. No entity of these persistence ids may run.";
        }
        return switch (what) {
            case STATES -> "The revision is kept. An entity that is alive fails at its next write.";
            case TOMBSTONES -> "The next state has revision 1.";
            default -> "The highest sequence number is kept, and the entities may run.";
        };
    }

    private String number() {
        return what == CleanupWhat.STATES ? "revision" : "sequence number";
    }

    /** What a command that continues this one has too. */
    Map<String, String> identity() {
        Map<String, String> identity =
                new TreeMap<>(Map.of("command", "cleanup", "delete", what.toString(), "reset", String.valueOf(reset)));
        if (to != null) {
            identity.put("to", String.valueOf(to));
        }
        if (before != null) {
            identity.put("before", before.toString());
        }
        return identity;
    }
}
