package io.dynajournal.testkit;

/** What the parts of {@link EventLogContract} share. */
interface LogTests {

    /** The table of this test class. */
    LogFixture fixture();

    /** Removes the item that holds an event, behind the log's back, which no request of ours ever does. */
    void removeItem(String persistenceId, long seqNr);

    /** How large a single large event is. */
    default int largeEventSize() {
        return 5 << 20;
    }
}
