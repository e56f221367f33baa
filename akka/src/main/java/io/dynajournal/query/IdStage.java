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
import io.dynajournal.model.SeqRange;
import io.dynajournal.model.StoredEvent;
import io.dynajournal.slices.Pace;
import io.dynajournal.store.EventLog;
import io.dynajournal.store.EventPage;
import io.dynajournal.store.PageToken;
import io.dynajournal.store.StoreException;
import io.dynajournal.toolkit.Stages;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The events of one id, from the table itself: consistent, in order, a page at a time. */
final class IdStage extends GraphStage<SourceShape<Found>> {

    private static final Logger log = LoggerFactory.getLogger(IdStage.class);
    private static final String LOOK = "look";

    /** What all queries of a plugin share. */
    record Shared(
            EventLog log,
            Lane lane,
            Pace pace,
            Clock clock,
            @Nullable Wakeups wakeups,
            QueryListener listener) {}

    private final Outlet<Found> out = Outlet.create("events");
    private final Shared shared;
    private final IdQuery query;

    IdStage(Shared shared, IdQuery query) {
        this.shared = shared;
        this.query = query;
    }

    @Override
    public SourceShape<Found> shape() {
        return SourceShape.of(out);
    }

    @Override
    public GraphStageLogic createLogic(Attributes attributes) {
        return new Logic();
    }

    private final class Logic extends TimerGraphStageLogic {

        private final Watch watch = new Watch(shared.listener(), query.toString());
        private final Queue<StoredEvent> ready = new ArrayDeque<>();
        private final AsyncCallback<Runnable> callback = createAsyncCallback(Runnable::run);
        private long next = Math.max(1, query.from());
        private @Nullable PageToken token;
        private @Nullable SeqRange range;
        private boolean reading;
        private boolean waiting;
        private boolean woken;
        private boolean ended;
        // The log was seen to reach the last number that is asked for.
        private boolean seenToEnd;
        private long since = now();
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
            // A read that is on its way may have been too early.
            woken = reading;
            waiting = false;
            since = now();
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
                push(out, new Found(ready.remove(), now()));
            }
            if (!ready.isEmpty() || reading) {
                return;
            }
            if (ended || next > query.to()) {
                complete(out);
            } else if (isAvailable(out) && !waiting) {
                read();
            }
        }

        private void read() {
            reading = true;
            @Nullable PageToken from = token;
            SeqRange asked =
                    range == null || from == null ? SeqRange.singleEvents(next, query.to(), Long.MAX_VALUE) : range;
            range = asked;
            shared.lane()
                    .run(() -> shared.log().read(query.persistenceId(), asked, from))
                    .whenComplete((page, failure) -> callback.invoke(() -> {
                        reading = false;
                        if (failure == null) {
                            answered(page);
                        } else {
                            failed(Stages.unwrap(failure));
                        }
                    }));
        }

        private void answered(EventPage page) {
            token = page.next();
            for (StoredEvent event : page.events()) {
                ready.add(event);
                next = event.seqNr() + 1;
            }
            if (!page.events().isEmpty()) {
                since = now();
            }
            boolean ends = token == null && next <= query.to() && page.coveredTo() >= query.to();
            if (query.live() && ends && !seenToEnd) {
                // The last numbers may have been written between the look at the events and the look at the end.
                seenToEnd = true;
            } else {
                next = Math.max(next, Math.min(page.coveredTo(), query.to()) + 1);
                if (token == null && next <= query.to()) {
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
                pause();
            }
        }

        private void pause() {
            waiting = true;
            long now = now();
            long at = shared.pace().next(now, since);
            scheduleOnce(LOOK, Duration.ofMillis(Math.max(1, (at - now) / 1000)));
        }

        private void failed(Throwable failure) {
            if (failure instanceof StoreException.LogMoved) {
                // Deleted while it was read: what is left is read from here on.
                token = null;
                log.debug("The {} goes on at {}", query, next, failure);
                drive();
            } else if (query.live()
                    && (failure instanceof StoreException.Throttled || failure instanceof StoreException.Unavailable)) {
                watch.stuck(failure, shared.pace().refresh(), now());
                waiting = true;
                scheduleOnce(LOOK, shared.pace().refresh());
            } else {
                failStage(failure);
            }
        }
    }
}
