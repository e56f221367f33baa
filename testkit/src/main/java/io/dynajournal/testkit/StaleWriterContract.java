package io.dynajournal.testkit;

/** The part of {@link EventLogContract} about stale writers, for another way of deleting on the same layout. */
public abstract class StaleWriterContract extends LogContract implements LogStaleWriterTests, LogScheduleTests {

    @Override
    public final void removeItem(String persistenceId, long seqNr) {
        throw new UnsupportedOperationException("These tests remove no item.");
    }
}
