package io.dynajournal.testkit;

import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.dynamo.RetrySettings;
import io.dynajournal.internal.layout.JournalLayout;
import io.dynajournal.internal.store.EventJournal;
import io.dynajournal.internal.store.EventLog;
import io.dynajournal.internal.store.JournalCaches;
import io.dynajournal.listener.RequestListener;
import java.time.Duration;
import java.util.function.Consumer;

/** A journal table and ways to open it. Two logs are like two processes: they share the table and nothing else. */
public final class LogFixture {

    /** Fails after about a second, for faults that do not end; a slow server still answers in that time. */
    public static final RetrySettings IMPATIENT = new RetrySettings(
            Duration.ofMillis(1200), Duration.ofMillis(1100), Duration.ofMillis(5), Duration.ofMillis(20));

    private final LocalDynamo local;
    private final JournalLayout layout;

    private LogFixture(LocalDynamo local, JournalLayout layout) {
        this.local = local;
        this.layout = layout;
    }

    /** Creates the table. */
    public static LogFixture create(LocalDynamo local, JournalLayout layout) {
        local.create(layout.table());
        return new LogFixture(local, layout);
    }

    public LocalDynamo local() {
        return local;
    }

    public String tableName() {
        return layout.table().name();
    }

    public EventLog log() {
        return log(RequestListener.NONE);
    }

    public EventLog log(RequestListener listener) {
        return layout.open(local.open(listener));
    }

    /** A log whose requests the meter measures. */
    public EventLog log(CostMeter meter) {
        return layout.open(local.open(meter));
    }

    public EventLog log(Dynamo dynamo) {
        return layout.open(dynamo);
    }

    public EventLog log(FaultProxy proxy) {
        return log(proxy, LocalDynamo.PATIENT);
    }

    public EventLog log(FaultProxy proxy, RetrySettings retry) {
        return layout.open(local.open(proxy, retry, RequestListener.NONE));
    }

    public EventJournal journal() {
        return new EventJournal(log(), JournalCaches.DEFAULTS);
    }

    public EventJournal journal(FaultProxy proxy) {
        return new EventJournal(log(proxy), JournalCaches.DEFAULTS);
    }

    /** The number of write requests that this work of a new writer takes without faults. */
    int writeRequests(Consumer<LogWriter> work) {
        FaultProxy proxy = proxy();
        work.accept(LogWriter.recover(log(proxy), TestEvents.freshId()));
        return proxy.requests(RequestMatch.writes()).size();
    }

    public FaultProxy proxy() {
        return local.proxy();
    }
}
