package io.dynajournal.testkit;

import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.model.Event;
import io.dynajournal.internal.store.EventLog;
import io.dynajournal.internal.store.Stages;
import java.util.List;
import java.util.concurrent.CompletionException;

/** The largest event that a layout stores in one item, together with a small one in its atomic write. */
public final class LargestEvent {

    private static final int SMALL = 380_000;
    private static final int TOO_LARGE = 410_000;

    /** A time that ends with zeros takes fewer bytes. */
    private static final int SHORTER_TIME = 4;

    private LargestEvent() {}

    /** Its size in bytes; it cannot be compressed. */
    public static int size(LogFixture fixture) {
        int requests = requests(fixture, SMALL);
        int fits = SMALL;
        int exceeds = TOO_LARGE;
        while (exceeds - fits > 1) {
            int size = (fits + exceeds) / 2;
            if (requests(fixture, size) == requests) {
                fits = size;
            } else {
                exceeds = size;
            }
        }
        return fits - SHORTER_TIME;
    }

    /** The number of write requests; 0 if the write is rejected. */
    private static int requests(LogFixture fixture, int size) {
        FaultProxy proxy = fixture.proxy();
        EventLog log = fixture.log(proxy);
        LogWriter writer = LogWriter.recover(log, TestEvents.freshId());
        List<Event> events = List.of(TestEvents.event(size), TestEvents.compressible(1));
        try {
            writer.send(writer.next(events)).toCompletableFuture().join();
        } catch (CompletionException e) {
            if (!(Stages.unwrap(e) instanceof StoreException.ItemTooLarge)) {
                throw e;
            }
        }
        return proxy.requests(RequestMatch.writes()).size();
    }
}
