package io.dynajournal.testkit.commits;

import io.dynajournal.internal.layout.JournalLayout;
import io.dynajournal.internal.layout.commits.CommitsJournal;
import io.dynajournal.testkit.EventLogContract;

/** The native layout with its defaults. */
class CommitsEventLogTest extends EventLogContract {

    @Override
    protected JournalLayout layout(String tableName) {
        return CommitsJournal.of(tableName);
    }

    @Override
    public void removeItem(String persistenceId, long seqNr) {
        new JournalTable(local.client(), fixture().tableName()).remove(persistenceId, seqNr);
    }
}
