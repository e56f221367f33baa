package io.dynajournal.internal.query;

import akka.stream.Attributes;
import akka.stream.Outlet;
import akka.stream.SourceShape;
import akka.stream.stage.AbstractOutHandler;
import akka.stream.stage.AsyncCallback;
import akka.stream.stage.GraphStage;
import akka.stream.stage.GraphStageLogic;
import akka.stream.stage.TimerGraphStageLogic;
import io.dynajournal.internal.plugin.Wakeups;
import io.dynajournal.internal.slices.Delivery;
import io.dynajournal.internal.slices.ReadRequest;
import io.dynajournal.internal.slices.ReadRequest.IndexRead;
import io.dynajournal.internal.slices.ReadRequest.MissedCommitsRead;
import io.dynajournal.internal.slices.ReaderSettings;
import io.dynajournal.internal.slices.SliceReader;
import io.dynajournal.internal.store.SlicePartition;
import io.dynajournal.internal.store.SliceRows;
import io.dynajournal.internal.store.Stages;
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
 * Drives a {@link SliceReader}: sends its reads and takes deliveries while there is demand. In memory are the reader's pages,
 * and the contents of up to {@value #MAX_DELIVERIES} rows, read up to {@link SliceRows#MAX_CONTENT_BYTES}.
 */
final class SliceStage<T> extends GraphStage<SourceShape<T>> {

    /** Maximum number of rows whose contents are read together. */
    private static final int MAX_DELIVERIES = 16;

    private static final String POLL = "poll";
    private static final String LOOK_UP_PARTITIONS = "look up partitions";

    /** Shared by all slice queries of a plugin. */
    record Shared(
            SliceRows index,
            SharedPages pages,
            RequestLimiter limiter,
            ReaderSettings settings,
            @Nullable Wakeups wakeups,
            QueryProgress.Reports reports) {}

    private record Retry(Runnable task) {}

    private final Outlet<T> out = Outlet.create("contents");
    private final Shared shared;
    private final SliceQuery query;
    private final Supplier<RowContents<T>> contents;

    /** @param contents called once per run of the stream */
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
        return new Logic(attributes);
    }

    private final class Logic extends TimerGraphStageLogic {

        private final SliceReader reader = query.reader(shared.settings());
        private final RowContents<T> rowContents = contents.get();
        private final QueryProgress progress;
        private final Queue<T> ready = new ArrayDeque<>();
        // Taken from the reader, contents not read yet.
        private List<Delivery> taken = List.of();
        private final AsyncCallback<Runnable> callback = createAsyncCallback(Runnable::run);
        // Ids written since the last wake-up: many writes, one callback.
        private final Set<String> written = ConcurrentHashMap.newKeySet();
        private final AtomicBoolean wakeUpPending = new AtomicBoolean();
        private boolean started;
        private boolean fetching;
        private boolean lookingUpPartitions;
        private @Nullable Runnable unsubscribe;

        Logic(Attributes attributes) {
            super(SliceStage.this.shape());
            this.progress = new QueryProgress(shared.reports(), query.toString(), attributes);
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
            lookUpPartitions();
        }

        @Override
        public void postStop() {
            if (unsubscribe != null) {
                unsubscribe.run();
            }
        }

        /** Called on the writer's thread. */
        private void written(String persistenceId) {
            if (query.mayHold(persistenceId)) {
                written.add(persistenceId);
                if (wakeUpPending.compareAndSet(false, true)) {
                    callback.invoke(this::wakeUp);
                }
            }
        }

        private void wakeUp() {
            long now = now();
            boolean unknown = false;
            wakeUpPending.set(false);
            List<String> ids = List.copyOf(written);
            ids.forEach(written::remove);
            for (String persistenceId : ids) {
                unknown |= !reader.wakeUp(persistenceId, now);
            }
            if (unknown) {
                lookUpPartitions();
            }
            drive();
        }

        private void lookUpPartitions() {
            if (!lookingUpPartitions) {
                lookingUpPartitions = true;
                long sentMicros = now();
                whenDone(
                        shared.limiter().run(() -> query.partitions(shared.index())),
                        partitions -> partitionsFound(partitions, sentMicros),
                        failure -> {
                            lookingUpPartitions = false;
                            retryOrFail(failure);
                            scheduleOnce(
                                    LOOK_UP_PARTITIONS,
                                    shared.settings().schedule().refresh());
                        });
            }
        }

        private void partitionsFound(List<SlicePartition> partitions, long sentMicros) {
            lookingUpPartitions = false;
            started = true;
            reader.partitionsFound(partitions, sentMicros);
            if (query.live()) {
                scheduleOnce(LOOK_UP_PARTITIONS, shared.settings().partitionLookupInterval());
            }
            drive();
        }

        @Override
        public void onTimer(Object key) {
            if (key.equals(LOOK_UP_PARTITIONS)) {
                lookUpPartitions();
            } else if (key instanceof Retry retry) {
                retry.task().run();
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
            progress.read(reader, ready.isEmpty() && taken.isEmpty(), now);
            for (ReadRequest read : reader.reads(now)) {
                send(read);
            }
            long at = reader.nextReadAt();
            if (at < Long.MAX_VALUE) {
                scheduleOnce(POLL, Duration.ofMillis(Math.max(1, (at - now) / 1000 + 1)));
            }
        }

        private void deliver() {
            while (isAvailable(out) && !ready.isEmpty()) {
                progress.delivered();
                push(out, ready.remove());
            }
            if (!isAvailable(out) || fetching) {
                return;
            }
            if (taken.isEmpty()) {
                taken = reader.take(MAX_DELIVERIES);
            }
            if (!taken.isEmpty()) {
                fetch();
            } else if (reader.isDone()) {
                complete(out);
            }
        }

        private void fetch() {
            fetching = true;
            List<Delivery> deliveries = taken;
            whenDone(shared.limiter().run(() -> rowContents.of(deliveries)), this::fetched, failure -> {
                retryOrFail(failure);
                scheduleOnce(
                        new Retry(this::fetch), shared.settings().schedule().refresh());
            });
        }

        private void fetched(RowContents.Contents<T> found) {
            fetching = false;
            taken = List.copyOf(taken.subList(found.deliveries(), taken.size()));
            ready.addAll(found.elements());
            drive();
        }

        private void send(ReadRequest read) {
            Consumer<Throwable> failed = failure -> {
                retryOrFail(failure);
                reader.failed(read, now());
                drive();
            };
            if (read instanceof IndexRead index) {
                whenDone(
                        shared.pages().read(index),
                        shared -> {
                            reader.received(shared.read(), shared.page(), now());
                            drive();
                        },
                        failed);
            } else if (read instanceof MissedCommitsRead missed) {
                whenDone(
                        shared.limiter()
                                .run(() -> shared.index()
                                        .between(
                                                missed.persistenceId(),
                                                missed.afterSeqNr(),
                                                missed.beforeSeqNr(),
                                                missed.fromMicros(),
                                                missed.limit())),
                        rows -> {
                            reader.received(missed, rows);
                            drive();
                        },
                        failed);
            }
        }

        /** Continues on the stage's thread. */
        private <A> void whenDone(CompletionStage<A> stage, Consumer<A> succeeded, Consumer<Throwable> failed) {
            stage.whenComplete((value, failure) -> callback.invoke(() -> {
                if (failure == null) {
                    succeeded.accept(value);
                } else {
                    failed.accept(Stages.unwrap(failure));
                }
            }));
        }

        /** A live query reports a transient failure, and its caller retries; any other failure ends the stream. */
        private void retryOrFail(Throwable failure) {
            if (query.live() && QueryProgress.isTransient(failure)) {
                progress.stuck(failure, shared.settings().schedule().refresh(), now());
            } else {
                failStage(failure);
            }
        }
    }
}
