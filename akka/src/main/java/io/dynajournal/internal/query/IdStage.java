package io.dynajournal.internal.query;

import akka.stream.Attributes;
import akka.stream.Outlet;
import akka.stream.SourceShape;
import akka.stream.stage.AbstractOutHandler;
import akka.stream.stage.AsyncCallback;
import akka.stream.stage.GraphStage;
import akka.stream.stage.GraphStageLogic;
import akka.stream.stage.TimerGraphStageLogic;
import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.model.SeqRange;
import io.dynajournal.internal.model.StoredEvent;
import io.dynajournal.internal.plugin.Wakeups;
import io.dynajournal.internal.slices.PollSchedule;
import io.dynajournal.internal.store.EventLog;
import io.dynajournal.internal.store.EventPage;
import io.dynajournal.internal.store.PageToken;
import io.dynajournal.internal.store.Stages;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The events of one persistence id, read from the table: consistent, in order, page by page. */
final class IdStage extends GraphStage<SourceShape<ReadEvent>> {

    private static final Logger log = LoggerFactory.getLogger(IdStage.class);
    private static final String POLL = "poll";

    /** Shared by all queries of a plugin. */
    record Shared(
            EventLog log,
            RequestLimiter limiter,
            PollSchedule schedule,
            Clock clock,
            @Nullable Wakeups wakeups,
            QueryProgress.Reports reports) {}

    private final Outlet<ReadEvent> out = Outlet.create("events");
    private final Shared shared;
    private final IdQuery query;

    IdStage(Shared shared, IdQuery query) {
        this.shared = shared;
        this.query = query;
    }

    @Override
    public SourceShape<ReadEvent> shape() {
        return SourceShape.of(out);
    }

    @Override
    public GraphStageLogic createLogic(Attributes attributes) {
        return new Logic();
    }

    private final class Logic extends TimerGraphStageLogic {

        private final QueryProgress progress = new QueryProgress(shared.reports(), query.toString());
        private final Queue<StoredEvent> ready = new ArrayDeque<>();
        private final AsyncCallback<Runnable> callback = createAsyncCallback(Runnable::run);
        private long nextSeqNr = Math.max(1, query.fromSeqNr());
        private @Nullable PageToken token;
        private @Nullable SeqRange range;
        private boolean reading;
        private boolean waiting;
        private boolean woken;
        private boolean ended;
        // A page has shown that the log reaches the last sequence number of the query.
        private boolean seenToEnd;
        private long quietSince = now();
        private @Nullable Runnable unsubscribe;

        Logic() {
            super(IdStage.this.shape());
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
                unsubscribe = wakeups.onWriteOf(query.persistenceId(), id -> callback.invoke(this::written));
            }
        }

        @Override
        public void postStop() {
            if (unsubscribe != null) {
                unsubscribe.run();
            }
        }

        private void written() {
            // The read in flight may have been too early.
            woken = reading;
            waiting = false;
            quietSince = now();
            drive();
        }

        @Override
        public void onTimer(Object key) {
            waiting = false;
            drive();
        }

        private long now() {
            return shared.clock().millis() * 1000;
        }

        private void drive() {
            while (isAvailable(out) && !ready.isEmpty()) {
                push(out, new ReadEvent(ready.remove(), now()));
            }
            if (!ready.isEmpty() || reading) {
                return;
            }
            if (ended || nextSeqNr > query.toSeqNr()) {
                complete(out);
            } else if (isAvailable(out) && !waiting) {
                read();
            }
        }

        private void read() {
            reading = true;
            @Nullable PageToken from = token;
            SeqRange pageRange = range == null || from == null
                    ? SeqRange.singleEvents(nextSeqNr, query.toSeqNr(), Long.MAX_VALUE)
                    : range;
            range = pageRange;
            shared.limiter()
                    .run(() -> shared.log().read(query.persistenceId(), pageRange, from))
                    .whenComplete((page, failure) -> callback.invoke(() -> {
                        reading = false;
                        if (failure == null) {
                            received(page);
                        } else {
                            failed(Stages.unwrap(failure));
                        }
                    }));
        }

        private void received(EventPage page) {
            token = page.next();
            for (StoredEvent event : page.events()) {
                ready.add(event);
                nextSeqNr = event.seqNr() + 1;
            }
            if (!page.events().isEmpty()) {
                quietSince = now();
            }
            boolean ends = token == null && nextSeqNr <= query.toSeqNr() && page.coveredTo() >= query.toSeqNr();
            if (query.live() && ends && !seenToEnd) {
                // The last events may have been written between the read of the events and that of the log's end.
                seenToEnd = true;
            } else {
                nextSeqNr = Math.max(nextSeqNr, Math.min(page.coveredTo(), query.toSeqNr()) + 1);
                if (token == null && nextSeqNr <= query.toSeqNr()) {
                    atEnd();
                }
            }
            drive();
        }

        private void atEnd() {
            if (!query.live()) {
                ended = true;
            } else if (woken) {
                woken = false;
            } else {
                waitForNextPoll();
            }
        }

        private void waitForNextPoll() {
            waiting = true;
            long now = now();
            long at = shared.schedule().nextPollMicros(now, quietSince);
            scheduleOnce(POLL, Duration.ofMillis(Math.max(1, (at - now) / 1000)));
        }

        private void failed(Throwable failure) {
            if (failure instanceof StoreException.LogMoved) {
                // Events were deleted while they were read; the remaining ones are read from here on.
                token = null;
                log.debug("The {} continues at sequence number {}", query, nextSeqNr, failure);
                drive();
            } else if (query.live() && QueryProgress.isTransient(failure)) {
                progress.stuck(failure, shared.schedule().refresh(), now());
                waiting = true;
                scheduleOnce(POLL, shared.schedule().refresh());
            } else {
                failStage(failure);
            }
        }
    }
}
