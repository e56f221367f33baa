package io.dynajournal.internal.layout.sclasen;

import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.dynamo.TableSpec;
import io.dynajournal.internal.layout.EventFormat;
import io.dynajournal.internal.layout.JournalLayout;
import io.dynajournal.internal.layout.LayoutSettings;
import io.dynajournal.internal.layout.Permissions;
import io.dynajournal.internal.layout.Permissions.Actions;
import io.dynajournal.internal.store.EventLog;
import io.dynajournal.internal.store.LogCheck;
import io.dynajournal.internal.store.PersistenceIds;
import io.dynajournal.internal.store.Stages;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/**
 * The journal of sclasen's akka-persistence-dynamodb 0.3.x, which has no snapshots. {@link SclasenEventLog} has its costs.
 *
 * @param journalName the prefix of all keys, so that one table can hold several journals; empty for tables from before 0.3's
 *     first release
 * @param sequenceShards the number of items that the high marks of a persistence id are spread over; lowering it hides marks
 * @param permanentDeletes whether deletes remove items; otherwise they mark them, because 0.3 ends a replay at a gap. Must be
 *     the same on all nodes
 * @param fatalGaps whether a sequence number that is missing after the first item fails the read; otherwise it is logged
 */
public record SclasenJournal(
        String tableName, String journalName, int sequenceShards, boolean permanentDeletes, boolean fatalGaps)
        implements JournalLayout {

    /** The default of 0.3; that of 1.x for the same setting is 10. */
    public static final int DEFAULT_SHARDS = 1000;

    public SclasenJournal {
        if (tableName.isBlank()) {
            throw new IllegalArgumentException("journal-table must name a table");
        }
        if (sequenceShards < 1) {
            throw new IllegalArgumentException("sequence-shards must be 1 or more, not " + sequenceShards);
        }
    }

    /** Reads 0.3's settings with its defaults, and {@code permanent-deletes} and {@code fatal-gaps}, which are ours. */
    public static SclasenJournal of(LayoutSettings settings) {
        return new SclasenJournal(
                settings.required("journal-table"),
                settings.text("journal-name", "journal"),
                settings.count("sequence-shards", DEFAULT_SHARDS, 1),
                settings.flag("permanent-deletes", false),
                settings.flag("fatal-gaps", false));
    }

    @Override
    public SclasenJournal withFatalGaps() {
        return new SclasenJournal(tableName, journalName, sequenceShards, permanentDeletes, true);
    }

    @Override
    public TableSpec table() {
        return new TableSpec(tableName, new TableSpec.Key(SclasenItems.KEY, "S"), null, List.of(), null);
    }

    @Override
    public boolean storesOutOfOrder() {
        return true;
    }

    @Override
    public EventFormat format() {
        return EventFormat.COMPLETE.withTimes(EventFormat.MILLIS).withoutTags();
    }

    @Override
    public EventLog open(Dynamo dynamo) {
        return new SclasenEventLog(dynamo, this);
    }

    @Override
    public CompletionStage<Map<Long, Set<String>>> confirmations(
            Dynamo dynamo, String persistenceId, List<Long> seqNrs) {
        return Stages.guarded(() -> new SclasenReader(dynamo, this).confirmations(persistenceId, seqNrs));
    }

    @Override
    public PersistenceIds ids(Dynamo dynamo) {
        return new SclasenPersistenceIds(dynamo, tableName, items());
    }

    SclasenItems items() {
        return new SclasenItems(journalName, sequenceShards);
    }

    @Override
    public List<LogCheck> checks(Dynamo dynamo) {
        SclasenReader reader = new SclasenReader(dynamo, this);
        return List.of(new SclasenMarkCheck(reader, new SclasenWriter(dynamo, this, reader)));
    }

    @Override
    public Permissions permissions() {
        return new Permissions(
                Actions.of("BatchGetItem", "PutItem", "UpdateItem"),
                Actions.of("BatchGetItem", "Scan"),
                Actions.NONE,
                Actions.of("BatchGetItem", "BatchWriteItem", "PutItem", "Scan", "UpdateItem"));
    }
}
