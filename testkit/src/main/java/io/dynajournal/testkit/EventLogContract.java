package io.dynajournal.testkit;

/**
 * The contract of every journal layout. A layout's test extends this class, returns the layout, and implements how an item is
 * removed from its table; the tests are in the interfaces, by subject. It declares what its format lacks in {@link
 * #capabilities}, which is printed; the tests then check that such input is rejected.
 */
public abstract class EventLogContract extends LogContract
        implements LogAppendTests,
                LogReadTests,
                LogDeleteTests,
                LogCleanupTests,
                LogWritersTests,
                LogStaleWriterTests,
                LogScheduleTests,
                LogFaultTests,
                LogLaneTests,
                JournalTests {}
