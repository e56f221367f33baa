package io.dynajournal.testkit.sclasen;

import io.dynajournal.internal.layout.sclasen.SclasenJournal;
import io.dynajournal.testkit.Capabilities;
import io.dynajournal.testkit.Capability;
import io.dynajournal.testkit.StaleWriterContract;

/** Stale writers on a journal with {@code permanent-deletes = on}. */
class SclasenPermanentDeletesTest extends StaleWriterContract {

    @Override
    public Capabilities capabilities() {
        return Capabilities.ALL.beyond(Capability.ANY_COUNT, 99, "a transaction has 100 actions at most");
    }

    @Override
    protected SclasenJournal layout(String tableName) {
        return new SclasenJournal(tableName, "journal", 7, true, false);
    }
}
