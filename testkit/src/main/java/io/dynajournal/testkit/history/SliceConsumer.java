package io.dynajournal.testkit.history;

import io.dynajournal.internal.model.SliceRange;
import io.dynajournal.internal.slices.Delivery;
import io.dynajournal.internal.slices.ReadRequest;
import io.dynajournal.internal.slices.ReadRequest.IndexRead;
import io.dynajournal.internal.slices.ReadRequest.MissedCommitsRead;
import io.dynajournal.internal.slices.ReaderSettings;
import io.dynajournal.internal.slices.ResumePoint;
import io.dynajournal.internal.slices.SliceReader;
import io.dynajournal.internal.store.SliceRow;
import io.dynajournal.internal.store.SliceRows;
import io.dynajournal.internal.store.Stages;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** One run of a query of events or of changes: what the toolkits' stage does, on the thread of the program. */
final class SliceConsumer<T> {

    private static final int MAX_DELIVERIES = 16;
    private static final long MILLI = 1_000_000;

    private final Node node;
    private final SliceRows index;
    private final ReaderSettings settings;
    private final SliceRange slices;
    private final SliceReader reader;
    private final boolean live;
    private final Contents<T> contents;
    private final Consumer<T> consumer;
    private List<Delivery> taken = List.of();
    private @Nullable Future<?> poll;
    private @Nullable Throwable failure;
    private boolean started;
    private boolean fetching;
    private boolean over;

    /** What rows stand for: a list for each of the first deliveries, at least for one. */
    interface Contents<T> {
        CompletionStage<List<List<T>>> of(List<Delivery> deliveries);
    }

    /**
     * A run that has not started.
     *
     * @param filter which rows are delivered
     */
    SliceConsumer(
            Node node,
            SliceRows index,
            ReaderSettings settings,
            SliceRange slices,
            ResumePoint start,
            boolean live,
            Predicate<SliceRow> filter,
            Contents<T> contents,
            Consumer<T> consumer) {
        this.node = node;
        this.index = index;
        this.settings = settings;
        this.slices = slices;
        this.live = live;
        this.contents = contents;
        this.consumer = consumer;
        this.reader = new SliceReader(settings, slices, start, live, filter);
    }

    void start() {
        long sentMicros = index.nowMicros();
        whenDone(
                index.partitions(Run.ENTITY_TYPE, slices),
                partitions -> {
                    started = true;
                    reader.partitionsFound(partitions, sentMicros);
                    if (live) {
                        later(settings.partitionLookupInterval().toNanos(), this::start);
                    }
                    drive();
                },
                () -> later(settings.schedule().refresh().toNanos(), this::start));
    }

    void stop() {
        over = true;
    }

    /** Whether it was stopped, or has failed, or has delivered everything that it had to. */
    boolean isOver() {
        return over || node.isCrashed();
    }

    /** Why a query of current events failed; null if it did not. */
    @Nullable
    Throwable failure() {
        return failure;
    }

    private Future<?> later(long nanos, Runnable task) {
        return node.after(nanos, () -> {
            if (!over) {
                task.run();
            }
        });
    }

    private void drive() {
        if (over || !started) {
            return;
        }
        deliver();
        long now = index.nowMicros();
        reader.reads(now).forEach(this::send);
        long at = reader.nextReadAt();
        Future<?> earlier = poll;
        if (earlier != null) {
            earlier.cancel(false);
            poll = null;
        }
        if (at < Long.MAX_VALUE) {
            poll = later(Math.max(1, (at - now) / 1000 + 1) * MILLI, this::drive);
        }
    }

    private void deliver() {
        if (fetching) {
            return;
        }
        if (taken.isEmpty()) {
            taken = reader.take(MAX_DELIVERIES);
        }
        if (!taken.isEmpty()) {
            fetch();
        } else if (reader.isDone()) {
            over = true;
        }
    }

    private void fetch() {
        fetching = true;
        List<Delivery> deliveries = taken;
        whenDone(
                contents.of(deliveries),
                found -> {
                    fetching = false;
                    taken = List.copyOf(taken.subList(found.size(), taken.size()));
                    found.forEach(each -> each.forEach(consumer));
                    drive();
                },
                () -> later(settings.schedule().refresh().toNanos(), this::fetch));
    }

    private void send(ReadRequest read) {
        Runnable failed = () -> {
            reader.failed(read, index.nowMicros());
            drive();
        };
        if (read instanceof IndexRead page) {
            whenDone(
                    index.read(page.partition(), page.fromMicros(), page.toMicros(), page.start(), page.pageSize()),
                    rows -> {
                        reader.received(page, rows, index.nowMicros());
                        drive();
                    },
                    failed);
        } else if (read instanceof MissedCommitsRead missed) {
            whenDone(
                    index.between(
                            missed.persistenceId(),
                            missed.afterSeqNr(),
                            missed.beforeSeqNr(),
                            missed.fromMicros(),
                            missed.limit()),
                    rows -> {
                        reader.received(missed, rows);
                        drive();
                    },
                    failed);
        }
    }

    /** A live query goes on after a failure; any other one ends. */
    private <A> void whenDone(CompletionStage<A> stage, Consumer<A> succeeded, Runnable failed) {
        stage.whenComplete((value, thrown) -> {
            if (over) {
                return;
            }
            if (thrown == null) {
                succeeded.accept(value);
            } else if (live) {
                failed.run();
            } else {
                failure = Stages.unwrap(thrown);
                over = true;
            }
        });
    }
}
