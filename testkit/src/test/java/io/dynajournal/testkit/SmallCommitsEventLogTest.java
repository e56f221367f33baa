package io.dynajournal.testkit;

import io.dynajournal.layout.JournalLayout;
import io.dynajournal.layout.commits.CommitsJournal;
import java.time.Duration;

/** The native layout without indexes, with items and pages so small that parts and paging are everywhere. */
class SmallCommitsEventLogTest extends EventLogContract {

    @Override
    protected JournalLayout layout(String tableName) {
        return new CommitsJournal(tableName, false, false, 16, false, 4096, 3, 3, Duration.ofDays(1));
    }

    @Override
    public void removeItem(String persistenceId, long seqNr) {
        new RawTable(local.client(), fixture().tableName()).remove(persistenceId, seqNr);
    }

    /** Some 15 parts; more requests test nothing more. */
    @Override
    public int eventSize(int wanted) {
        return Math.min(wanted, 60_000);
    }

    /** Some 150 parts; five megabytes would be 1,300, which tests nothing more. */
    @Override
    public int largeEventSize() {
        return 600_000;
    }
}
