package io.dynajournal.testkit;

import io.dynajournal.layout.JournalLayout;
import io.dynajournal.layout.commits.CommitsJournal;

/** The native layout with its defaults. */
class CommitsEventLogTest extends EventLogContract {

    @Override
    protected JournalLayout layout(String tableName) {
        return CommitsJournal.of(tableName);
    }

    @Override
    public void removeItem(String persistenceId, long seqNr) {
        new RawTable(local.client(), fixture().tableName()).remove(persistenceId, seqNr);
    }
}
