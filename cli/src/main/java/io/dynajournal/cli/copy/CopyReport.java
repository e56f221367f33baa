package io.dynajournal.cli.copy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** What a copy has done so far. Thread-safe. */
public final class CopyReport {

    /** More failures than this are counted only. */
    private static final int MAX_FAILURES = 100;

    private final AtomicLong ids = new AtomicLong();
    private final AtomicLong events = new AtomicLong();
    private final AtomicLong snapshots = new AtomicLong();
    private final AtomicLong states = new AtomicLong();
    private final AtomicLong verified = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    private final List<String> failures = Collections.synchronizedList(new ArrayList<>());

    void id() {
        ids.incrementAndGet();
    }

    void events(long count) {
        events.addAndGet(count);
    }

    void snapshots(long count) {
        snapshots.addAndGet(count);
    }

    void state() {
        states.incrementAndGet();
    }

    void verified() {
        verified.incrementAndGet();
    }

    void failure(String persistenceId, RuntimeException failure) {
        failed.incrementAndGet();
        if (failures.size() < MAX_FAILURES) {
            failures.add(persistenceId + ": " + (failure.getMessage() == null ? failure : failure.getMessage()));
        }
    }

    /** How many persistence ids were visited. */
    public long ids() {
        return ids.get();
    }

    /** How many events were stored. */
    public long events() {
        return events.get();
    }

    /** How many snapshots were stored. */
    public long snapshots() {
        return snapshots.get();
    }

    /** How many states the target has now. */
    public long states() {
        return states.get();
    }

    /** How many logs were read back and found equal. */
    public long verifiedLogs() {
        return verified.get();
    }

    /** How many persistence ids failed. */
    public long failed() {
        return failed.get();
    }

    /** Why the first of them failed. */
    public List<String> failures() {
        return List.copyOf(failures);
    }
}
