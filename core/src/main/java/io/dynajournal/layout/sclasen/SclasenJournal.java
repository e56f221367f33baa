package io.dynajournal.layout.sclasen;

import io.dynajournal.dynamo.Dynamo;
import io.dynajournal.dynamo.TableSpec;
import io.dynajournal.layout.JournalLayout;
import io.dynajournal.layout.LayoutSettings;
import io.dynajournal.store.EventLog;
import io.dynajournal.store.PersistenceIds;
import java.util.List;

/**
 * The journal of sclasen's akka-persistence-dynamodb 0.3.x, which has no snapshots. What it costs is told in {@link
 * SclasenEventLog}.
 *
 * @param journalName what all keys begin with, so that one table can hold several journals; empty for the first tables,
 *     whose keys had no name
 * @param sequenceShards over how many items the high marks of an id are spread; lowering it hides marks
 * @param permanentDeletes whether deletes remove items. Otherwise they mark them, because 0.3 ends a replay at a hole.
 *     Must be the same on all nodes
 * @param fatalHoles whether a number that is missing behind the first item fails a reading; otherwise it is reported
 */
public record SclasenJournal(
        String tableName, String journalName, int sequenceShards, boolean permanentDeletes, boolean fatalHoles)
        implements JournalLayout {

    /** 0.3's own default; that of 1.x, which reads the same setting, is 10. */
    public static final int DEFAULT_SHARDS = 1000;

    public SclasenJournal {
        if (tableName.isBlank()) {
            throw new IllegalArgumentException("journal-table must name a table");
        }
        if (sequenceShards < 1) {
            throw new IllegalArgumentException("sequence-shards must be 1 or more, not " + sequenceShards);
        }
    }

    /** The older plugin's own settings and defaults, and {@code permanent-deletes} and {@code fatal-holes}. */
    public static SclasenJournal of(LayoutSettings settings) {
        return new SclasenJournal(
                settings.required("journal-table"),
                settings.text("journal-name", "journal"),
                settings.count("sequence-shards", DEFAULT_SHARDS, 1),
                settings.flag("permanent-deletes", false),
                settings.flag("fatal-holes", false));
    }

    public SclasenJournal withFatalHoles() {
        return new SclasenJournal(tableName, journalName, sequenceShards, permanentDeletes, true);
    }

    @Override
    public TableSpec table() {
        return new TableSpec(tableName, new TableSpec.Key(SclasenItems.KEY, "S"), null, List.of(), null);
    }

    @Override
    public EventLog open(Dynamo dynamo) {
        return new SclasenEventLog(dynamo, this);
    }

    @Override
    public PersistenceIds ids(Dynamo dynamo) {
        return new SclasenPersistenceIds(dynamo, tableName, items());
    }

    SclasenItems items() {
        return new SclasenItems(journalName, sequenceShards);
    }
}
