package io.dynajournal.cli.tail;

import io.dynajournal.cli.store.Stores;
import io.dynajournal.internal.model.SliceRange;
import io.dynajournal.internal.model.StoredEvent;
import io.dynajournal.internal.slices.Delivery;
import io.dynajournal.internal.slices.PollSchedule;
import io.dynajournal.internal.slices.ReadRequest;
import io.dynajournal.internal.slices.ReadRequest.IndexRead;
import io.dynajournal.internal.slices.ReadRequest.MissedCommitsRead;
import io.dynajournal.internal.slices.ReaderSettings;
import io.dynajournal.internal.slices.ResumePoint;
import io.dynajournal.internal.slices.SliceReader;
import io.dynajournal.internal.store.SliceIndex;
import io.dynajournal.internal.store.SlicePartition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Drives a query by slice on one thread, a request at a time: with the guarantees of the queries of an application, and the cost of one
 * that polls each second.
 */
public final class SliceTail {

    private static final ReaderSettings SETTINGS = new ReaderSettings(
            Duration.ofMinutes(2),
            Duration.ofSeconds(30),
            200,
            100_000,
            8,
            new PollSchedule(Duration.ofSeconds(1), Duration.ofSeconds(4)));

    private static final long LOOKUP_MICROS = SETTINGS.partitionLookupInterval().toNanos() / 1000;

    /** Rows whose events are read together. */
    private static final int ROWS = 16;

    private final SliceIndex index;
    private final @Nullable String entityType;
    private final @Nullable String tag;
    private final boolean live;
    private final SliceReader reader;
    private long partitionsFoundAt;

    /**
     * @param entityType null for all, if the layout records them
     * @param tag null for all
     * @param live whether to go on when everything is delivered
     */
    public SliceTail(
            SliceIndex index, @Nullable String entityType, @Nullable String tag, long fromMicros, boolean live) {
        this.index = index;
        this.entityType = entityType;
        this.tag = tag;
        this.live = live;
        this.reader = new SliceReader(
                SETTINGS,
                SliceRange.ALL,
                new ResumePoint(fromMicros, Map.of(), 0),
                live,
                row -> tag == null || row.tags().contains(tag));
    }

    /**
     * Delivers events until there are no more, or until it is stopped.
     *
     * @param delivered called after the events of some commits
     */
    public void run(Consumer<StoredEvent> consumer, Runnable delivered, CountDownLatch stop) {
        findPartitions();
        while (stop.getCount() > 0 && !reader.isDone()) {
            for (ReadRequest read : reader.reads(index.nowMicros())) {
                send(read);
            }
            List<Delivery> deliveries = reader.take(ROWS);
            if (!deliveries.isEmpty()) {
                deliver(deliveries, consumer);
                delivered.run();
            } else if (!reader.isDone()) {
                if (isStoppedMeanwhile(stop)) {
                    return;
                }
                findPartitions();
            }
        }
    }

    private void findPartitions() {
        long now = index.nowMicros();
        if (partitionsFoundAt == 0 || (live && now - partitionsFoundAt >= LOOKUP_MICROS)) {
            partitionsFoundAt = now;
            List<SlicePartition> found = Stores.await(
                    entityType == null
                            ? index.partitions(SliceRange.ALL)
                            : index.partitions(entityType, SliceRange.ALL));
            reader.partitionsFound(found, now);
        }
    }

    private void send(ReadRequest read) {
        if (read instanceof IndexRead page) {
            reader.received(
                    page,
                    Stores.await(index.read(
                            page.partition(), page.fromMicros(), page.toMicros(), page.start(), page.pageSize())),
                    index.nowMicros());
        } else if (read instanceof MissedCommitsRead missed) {
            reader.received(
                    missed,
                    Stores.await(index.between(
                            missed.persistenceId(),
                            missed.afterSeqNr(),
                            missed.beforeSeqNr(),
                            missed.fromMicros(),
                            missed.limit())));
        }
    }

    /** Contents are read up to a number of bytes, so not always of all rows. */
    private void deliver(List<Delivery> all, Consumer<StoredEvent> consumer) {
        List<Delivery> left = new ArrayList<>(all);
        while (!left.isEmpty()) {
            List<List<StoredEvent>> events =
                    Stores.await(index.events(left.stream().map(Delivery::row).toList()));
            for (int i = 0; i < events.size(); i++) {
                long from = left.get(i).fromSeqNr();
                for (StoredEvent event : events.get(i)) {
                    if (event.seqNr() >= from
                            && (tag == null || event.event().tags().contains(tag))) {
                        consumer.accept(event);
                    }
                }
            }
            left.subList(0, events.size()).clear();
        }
    }

    /** Waits until the next read is due; whether it was stopped meanwhile. */
    private boolean isStoppedMeanwhile(CountDownLatch stop) {
        long now = index.nowMicros();
        long until = Math.min(reader.nextReadAt(), partitionsFoundAt + LOOKUP_MICROS);
        try {
            // The time of a read that was due long ago may be too small for a subtraction.
            return stop.await(until <= now ? 0 : until - now, TimeUnit.MICROSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }
}
