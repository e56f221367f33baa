package io.dynajournal.testkit.sclasen;

import io.dynajournal.internal.layout.JournalLayout;
import io.dynajournal.internal.layout.sclasen.SclasenJournal;
import io.dynajournal.testkit.Capabilities;
import io.dynajournal.testkit.Capability;
import io.dynajournal.testkit.EventLogContract;

/** The contract for events of the layout sclasen, with seven shards for speed. */
class SclasenEventLogTest extends EventLogContract {

    @Override
    public Capabilities capabilities() {
        return Capabilities.ALL
                .without(Capability.TAGS, "the message of Akka 2.3 has no tags")
                .without(Capability.MICROSECONDS, "the message has milliseconds")
                .without(Capability.RISING_TIMES, "two writes may fall into one millisecond")
                .beyond(Capability.ANY_COUNT, 99, "a transaction has 100 actions at most, and one is the high mark")
                .beyond(Capability.ANY_SUM, 4 << 20, "a transaction has 4 MB at most")
                .beyond(Capability.ANY_SIZE, 409_000, "an event is one item, of 400 KB at most")
                .without(Capability.GAPS_ARE_DAMAGE, "0.3 left gaps")
                .without(Capability.DELETES_LEAVE_A_MARK, "0.3 removed items without one")
                .without(Capability.LATE_DELETES, "marked items are put without a condition");
    }

    @Override
    protected SclasenJournal layout(String tableName) {
        return new SclasenJournal(tableName, "journal", 7, false, false);
    }

    @Override
    protected JournalLayout layoutWithFatalGaps(String tableName) {
        return layout(tableName).withFatalGaps();
    }

    @Override
    public void removeItem(String persistenceId, long seqNr) {
        new SclasenTable(local.client(), fixture().tableName()).remove("journal-P-" + persistenceId + "-" + seqNr);
    }
}
