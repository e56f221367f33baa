package io.dynajournal.query;

import akka.stream.Attributes;
import akka.stream.Outlet;
import akka.stream.SourceShape;
import akka.stream.stage.AbstractOutHandler;
import akka.stream.stage.AsyncCallback;
import akka.stream.stage.GraphStage;
import akka.stream.stage.GraphStageLogic;
import akka.stream.stage.TimerGraphStageLogic;
import io.dynajournal.QueryListener;
import io.dynajournal.Wakeups;
import io.dynajournal.slices.Ask;
import io.dynajournal.slices.Delivery;
import io.dynajournal.slices.ReaderSettings;
import io.dynajournal.slices.SliceReader;
import io.dynajournal.store.SlicePartition;
import io.dynajournal.store.SliceRows;
import io.dynajournal.store.StoreException;
import io.dynajournal.toolkit.Stages;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Drives a {@link SliceReader}: sends what it asks for, and takes deliveries while there is demand. Holds what stands behind
 * a few rows at most, beside the reader's pages.
 */
final class SliceStage<T> extends GraphStage<SourceShape<T>> {

    /** How many writes are decoded, or read from the table, at once. */
    private static final int WRITES = 16;

    /** After which time a live query looks for new partitions and entity types. Writers wait longer with using them. */
    private static final Duration TOPOLOGY = Duration.ofSeconds(30);

    private static final String LOOK = "look";
    private static final String LOOK_FOR_PARTITIONS = "look for partitions";

    /** What all queries of a plugin share. */
    record Shared(
            SliceRows index,
            SharedPages pages,
            Lane lane,
            ReaderSettings settings,
            @Nullable Wakeups wakeups,
            QueryListener listener) {}

    private record Again(Runnable task) {}

    private final Outlet<T> out = Outlet.create("contents");
    private final Shared shared;
    private final SliceQuery query;
    private final Supplier<RowContents<T>> contents;

    /** @param contents makes one for each run of the stream */
    SliceStage(Shared shared, SliceQuery query, Supplier<RowContents<T>> contents) {
        this.shared = shared;
        this.query = query;
        this.contents = contents;
    }

    @Override
    public SourceShape<T> shape() {
        return SourceShape.of(out);
    }

    @Override
    public GraphStageLogic createLogic(Attributes attributes) {
        return new Logic();
    }

    private final class Logic extends TimerGraphStageLogic {

        private final SliceReader reader = query.reader(shared.settings());
        private final RowContents<T> rows = contents.get();
        private final Watch watch = new Watch(shared.listener(), query.toString());
        private final Queue<T> ready = new ArrayDeque<>();
        private final AsyncCallback<Runnable> callback = createAsyncCallback(Runnable::run);
        // Ids that were written since the last look: many writes, one call.
        private final Set<String> written = ConcurrentHashMap.newKeySet();
        private final AtomicBoolean called = new AtomicBoolean();
        private boolean started;
        private boolean fetching;
        private boolean lookingForPartitions;
        private @Nullable Runnable unsubscribe;

        Logic() {
            super(SliceStage.this.shape());
            setHandler(out, new AbstractOutHandler() {
                @Override
                public void onPull() {
                    drive();
                }
            });
        }

        @Override
        public void preStart() {
            Wakeups wakeups = shared.wakeups();
            if (query.live() && wakeups != null) {
                unsubscribe = wakeups.onWrite(this::written);
            }
            lookForPartitions();
        }

        @Override
        public void postStop() {
            if (unsubscribe != null) {
                unsubscribe.run();
            }
        }

        /** On the writer's thread. */
        private void written(String persistenceId) {
            if (query.mayHold(persistenceId)) {
                written.add(persistenceId);
                if (called.compareAndSet(false, true)) {
                    callback.invoke(this::woken);
                }
            }
        }

        private void woken() {
            long now = now();
            boolean unknown = false;
            called.set(false);
            List<String> ids = List.copyOf(written);
            ids.forEach(written::remove);
            for (String persistenceId : ids) {
                unknown |= !reader.woken(persistenceId, now);
            }
            if (unknown) {
                lookForPartitions();
            }
            drive();
        }

        private void lookForPartitions() {
            if (!lookingForPartitions) {
                lookingForPartitions = true;
                answer(shared.lane().run(() -> query.partitions(shared.index())), this::foundPartitions, failure -> {
                    lookingForPartitions = false;
                    troubled(failure);
                    scheduleOnce(LOOK_FOR_PARTITIONS, shared.settings().pace().refresh());
                });
            }
        }

        private void foundPartitions(List<SlicePartition> partitions) {
            lookingForPartitions = false;
            started = true;
            reader.add(partitions);
            if (query.live()) {
                scheduleOnce(LOOK_FOR_PARTITIONS, TOPOLOGY);
            }
            drive();
        }

        @Override
        public void onTimer(Object key) {
            if (key.equals(LOOK_FOR_PARTITIONS)) {
                lookForPartitions();
            } else if (key instanceof Again again) {
                again.task().run();
            } else {
                drive();
            }
        }

        private long now() {
            return shared.index().nowMicros();
        }

        private void drive() {
            if (!started) {
                return;
            }
            deliver();
            long now = now();
            watch.at(reader, now);
            for (Ask ask : reader.asks(now)) {
                send(ask);
            }
            long at = reader.askAt();
            if (at < Long.MAX_VALUE) {
                scheduleOnce(LOOK, Duration.ofMillis(Math.max(1, (at - now) / 1000 + 1)));
            }
        }

        private void deliver() {
            while (isAvailable(out) && !ready.isEmpty()) {
                watch.delivered();
                push(out, ready.remove());
            }
            if (!isAvailable(out) || fetching) {
                return;
            }
            List<Delivery> deliveries = reader.take(WRITES);
            if (!deliveries.isEmpty()) {
                fetch(deliveries);
            } else if (reader.isDone()) {
                complete(out);
            }
        }

        private void fetch(List<Delivery> deliveries) {
            fetching = true;
            answer(shared.lane().run(() -> rows.of(deliveries)), this::fetched, failure -> {
                troubled(failure);
                // The reader has handed these over, so they must not be lost.
                retry(() -> fetch(deliveries));
            });
        }

        private void fetched(List<T> found) {
            fetching = false;
            ready.addAll(found);
            drive();
        }

        private void send(Ask ask) {
            Consumer<Throwable> failed = failure -> {
                troubled(failure);
                reader.failed(ask, now());
                drive();
            };
            if (ask instanceof Ask.OfIndex page) {
                answer(
                        shared.pages().read(page),
                        answer -> {
                            reader.answered(answer.ask(), answer.page(), now());
                            drive();
                        },
                        failed);
            } else if (ask instanceof Ask.OfTable missed) {
                answer(
                        shared.lane()
                                .run(() -> shared.index()
                                        .between(
                                                missed.persistenceId(),
                                                missed.afterSeqNr(),
                                                missed.beforeSeqNr(),
                                                missed.fromMicros(),
                                                missed.limit())),
                        rows -> {
                            reader.answered(missed, rows);
                            drive();
                        },
                        failed);
            }
        }

        /** Back on the stage's own thread. */
        private <A> void answer(CompletionStage<A> stage, Consumer<A> answered, Consumer<Throwable> failed) {
            stage.whenComplete((value, failure) -> callback.invoke(() -> {
                if (failure == null) {
                    answered.accept(value);
                } else {
                    failed.accept(Stages.unwrap(failure));
                }
            }));
        }

        private void retry(Runnable task) {
            scheduleOnce(new Again(task), shared.settings().pace().refresh());
        }

        /** A live query goes on after trouble that may pass, and says that it is stuck; any other ends. */
        private void troubled(Throwable failure) {
            boolean passes =
                    failure instanceof StoreException.Throttled || failure instanceof StoreException.Unavailable;
            if (query.live() && passes) {
                watch.stuck(failure, shared.settings().pace().refresh(), now());
            } else {
                failStage(failure);
            }
        }
    }
}
