package io.dynajournal.testkit.commits;

import io.dynajournal.internal.layout.JournalLayout;
import io.dynajournal.internal.layout.commits.CommitsJournal;
import io.dynajournal.testkit.EventLogContract;
import java.time.Duration;

/** The native layout without indexes, with items and pages so small that most tests need parts and several pages. */
class SmallCommitsEventLogTest extends EventLogContract {

    @Override
    protected JournalLayout layout(String tableName) {
        return new CommitsJournal(tableName, false, false, 16, false, 4096, 3, 3, Duration.ofDays(1));
    }

    @Override
    public void removeItem(String persistenceId, long seqNr) {
        new JournalTable(local.client(), fixture().tableName()).remove(persistenceId, seqNr);
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
