package io.dynajournal.testkit.commits;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.dynamo.RetrySettings;
import io.dynajournal.internal.layout.commits.CommitsJournal;
import io.dynajournal.internal.model.Event;
import io.dynajournal.internal.model.EventBatch;
import io.dynajournal.internal.model.SeqRange;
import io.dynajournal.internal.model.StoredEvent;
import io.dynajournal.internal.store.EventLog;
import io.dynajournal.internal.store.LogEnd;
import io.dynajournal.internal.store.LogHead;
import io.dynajournal.listener.RequestListener;
import io.dynajournal.testkit.Await;
import io.dynajournal.testkit.ErrorAnswer;
import io.dynajournal.testkit.FaultProxy;
import io.dynajournal.testkit.HeldRequest;
import io.dynajournal.testkit.LocalDynamo;
import io.dynajournal.testkit.LogReading;
import io.dynajournal.testkit.RequestMatch;
import io.dynajournal.testkit.TestEvents;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Random schedules of one log against {@link LogModel}: several writers, rejections, lost replies, writes that arrive after
 * their writer has given up, crashes between parts and head, interrupted deletes, expiring tombstones and events, and replays
 * of any range. {@code -Ddynajournal.model.seeds=1000} runs that many new ones, {@code -Ddynajournal.model.seed=n} repeats one.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CommitsModelTest {

    private static final int STEPS = 40;
    private static final int WRITERS = 3;
    private static final RequestMatch PUTS = RequestMatch.operation("PutItem");

    @RegisterExtension
    final LocalDynamo local = new LocalDynamo();

    private final String table = local.freshTable();

    @BeforeAll
    void createTable() {
        local.create(layout(1).table());
    }

    private CommitsJournal layout(int pageItems) {
        return new CommitsJournal(table, true, true, 16, true, 4096, pageItems, 3, Duration.ofDays(30));
    }

    /** The same seeds in every build, so that a failure is due to a change; the system properties select others. */
    static LongStream seeds() {
        Long one = Long.getLong("dynajournal.model.seed");
        Integer many = Integer.getInteger("dynajournal.model.seeds");
        if (one != null) {
            return LongStream.of(one);
        }
        return many == null ? LongStream.rangeClosed(1, 12) : new Random().longs(many);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void theLogIsWhatTheModelSays(long seed) {
        try {
            new Run(new Random(seed)).go();
        } catch (AssertionError e) {
            throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
        }
    }

    /** An incarnation of the entity: its view of the log, and its sequence number. */
    private static final class Incarnation {
        private final String uuid = TestEvents.freshWriter();
        private LogEnd seen;
        private long seqNr;
        private int version;

        Incarnation(LogEnd seen, int version) {
            this.seen = seen;
            this.seqNr = seen.seqNr();
            this.version = version;
        }
    }

    /** A put that is still in flight although its writer has given up. */
    private record LatePut(HeldRequest request, EventBatch batch, int version, FaultProxy proxy) {}

    private final class Run {
        private final Random random;
        private final String id = TestEvents.freshId();
        private final LogModel model = new LogModel();
        private final JournalTable raw = new JournalTable(local.client(), table);
        private final CommitsJournal layout;
        private final EventLog log;
        private final List<Incarnation> writers = new ArrayList<>();
        private final List<LatePut> late = new ArrayList<>();
        private final List<String> trace = new ArrayList<>();

        Run(Random random) {
            this.random = random;
            this.layout = layout(List.of(1, 2, 5, 1000).get(random.nextInt(4)));
            this.log = layout.open(local.open(RequestListener.NONE));
        }

        void go() {
            try {
                for (int step = 0; step < STEPS; step++) {
                    step();
                    check();
                }
                while (!late.isEmpty()) {
                    arrive();
                    check();
                }
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError(e.getMessage() + "\n  " + String.join("\n  ", trace), e);
            } finally {
                late.forEach(put -> {
                    put.request().release();
                    put.proxy().close();
                });
            }
        }

        private void step() {
            int dice = random.nextInt(100);
            if (writers.isEmpty() || dice < 15) {
                recover();
            } else if (dice < 45) {
                append();
            } else if (dice < 52) {
                writers.get(random.nextInt(writers.size())).seqNr += 1;
                trace.add("a rejection uses up a sequence number");
            } else if (dice < 58) {
                appendWithLostReply();
            } else if (dice < 66) {
                appendAndGiveUp();
            } else if (dice < 70) {
                crashBeforeTheHead();
            } else if (dice < 82) {
                delete();
            } else if (dice < 88) {
                interruptADelete();
            } else if (dice < 93) {
                expireTombstones();
            } else if (dice < 96) {
                expireEvents();
            } else if (!late.isEmpty()) {
                arrive();
            }
        }

        private void recover() {
            long from = 1 + random.nextLong(model.highest() + 1);
            LogEnd end = Await.result(log.head(id, from)).end();
            assertThat(end.seqNr()).as("highest").isEqualTo(model.highest());
            if (writers.size() == WRITERS) {
                writers.remove(random.nextInt(WRITERS));
            }
            writers.add(new Incarnation(end, model.version()));
            trace.add("a writer recovers at " + end.seqNr());
        }

        private EventBatch batch(Incarnation writer) {
            List<List<Event>> writes = new ArrayList<>();
            for (int w = 0; w <= random.nextInt(3); w++) {
                int size = random.nextInt(10) == 0 ? 6_000 : 1 + random.nextInt(50);
                writes.add(TestEvents.events(1 + random.nextInt(3), size));
            }
            return new EventBatch(id, writer.uuid, writer.seqNr + 1, writes);
        }

        private void append() {
            Incarnation writer = writers.get(random.nextInt(writers.size()));
            EventBatch batch = batch(writer);
            if (writer.version == model.version()) {
                stored(writer, batch, Await.result(log.append(batch, writer.seen)));
                trace.add("appended " + batch.firstSeqNr() + " to " + batch.lastSeqNr());
            } else {
                Await.failure(log.append(batch, writer.seen), StoreException.WriteConflict.class);
                writers.remove(writer);
                trace.add("rejected " + batch.firstSeqNr());
            }
        }

        private void stored(Incarnation writer, EventBatch batch, LogEnd end) {
            model.stored(batch);
            writer.seen = end;
            writer.seqNr = end.seqNr();
            writer.version = model.version();
            assertThat(end.seqNr()).isEqualTo(model.highest());
        }

        private EventLog through(FaultProxy proxy, RetrySettings retry) {
            return layout.open(local.open(proxy, retry, RequestListener.NONE));
        }

        private void appendWithLostReply() {
            Incarnation writer = writers.get(random.nextInt(writers.size()));
            if (writer.version != model.version()) {
                return;
            }
            EventBatch batch = batch(writer);
            try (FaultProxy proxy = FaultProxy.to(local.endpoint())) {
                proxy.when(PUTS).loseReply();
                stored(
                        writer,
                        batch,
                        Await.result(through(proxy, LocalDynamo.PATIENT).append(batch, writer.seen)));
            }
            trace.add("appended with a lost reply " + batch.firstSeqNr() + " to " + batch.lastSeqNr());
        }

        /** One commit, so that there is one put that may land later. */
        private void appendAndGiveUp() {
            Incarnation writer = writers.remove(random.nextInt(writers.size()));
            EventBatch batch = EventBatch.of(id, writer.uuid, writer.seqNr + 1, TestEvents.events(2, 30));
            FaultProxy proxy = FaultProxy.to(local.endpoint());
            HeldRequest held = proxy.when(PUTS).deliverLate();
            proxy.when(PUTS).always().loseRequest();
            Await.failure(
                    through(proxy, Retries.TWO_ATTEMPTS).append(batch, writer.seen), StoreException.Unavailable.class);
            held.awaitArrival();
            late.add(new LatePut(held, batch, writer.version, proxy));
            trace.add("gave up on " + batch.firstSeqNr() + " to " + batch.lastSeqNr());
        }

        private void arrive() {
            LatePut put = late.remove(random.nextInt(late.size()));
            put.request().release();
            put.request().awaitDelivery();
            put.proxy().close();
            boolean isStored = put.version() == model.version();
            if (isStored) {
                model.stored(put.batch());
            }
            trace.add("late arrival of " + put.batch().firstSeqNr() + (isStored ? " is stored" : " is rejected"));
        }

        private void crashBeforeTheHead() {
            Incarnation writer = writers.remove(random.nextInt(writers.size()));
            EventBatch batch = EventBatch.of(id, writer.uuid, writer.seqNr + 1, TestEvents.events(2, 5_000));
            try (FaultProxy proxy = FaultProxy.to(local.endpoint())) {
                proxy.when(PUTS.containing("\"sum\"")).always().loseRequest();
                Await.failure(
                        through(proxy, Retries.TWO_ATTEMPTS).append(batch, writer.seen),
                        StoreException.Unavailable.class);
            }
            trace.add("crashed before the head of " + batch.firstSeqNr());
        }

        private void delete() {
            long to = random.nextInt(8) == 0 ? Long.MAX_VALUE : 1 + random.nextLong(model.highest() + 2);
            Await.result(log.deleteTo(id, to));
            model.deleted(to);
            trace.add("deleted to " + to);
        }

        private void interruptADelete() {
            List<Map<String, AttributeValue>> items = raw.items(id);
            if (items.isEmpty()) {
                return;
            }
            long to = 1 + random.nextLong(model.highest());
            long victim = JournalTable.seq(items.get(random.nextInt(items.size())));
            model.deleting(to);
            boolean interrupted = false;
            try (FaultProxy proxy = FaultProxy.to(local.endpoint())) {
                proxy.when(RequestMatch.writes().containing("\"seq\":{\"N\":\"" + victim + "\"}"))
                        .always()
                        .answer(ErrorAnswer.of(400, "ValidationException", "crash"));
                Await.result(through(proxy, LocalDynamo.PATIENT).deleteTo(id, to));
            } catch (StoreException.Refused e) {
                interrupted = true;
            }
            if (!interrupted) {
                model.deleted(to);
            }
            trace.add("delete to " + to + (interrupted ? " was interrupted at " + victim : " went through"));
        }

        /** Time passes: a writer with an old view reads the log before it writes, so stale writers are no longer dangerous. */
        private boolean forgetStaleWriters() {
            if (late.stream().anyMatch(put -> put.version() != model.version())) {
                return false;
            }
            writers.removeIf(writer -> writer.version != model.version());
            return true;
        }

        private void expireTombstones() {
            if (forgetStaleWriters()) {
                for (Map<String, AttributeValue> item : raw.items(id)) {
                    if (!item.containsKey("ix") && item.containsKey("exp") && random.nextBoolean()) {
                        raw.remove(id, JournalTable.seq(item));
                    }
                }
                trace.add("some tombstones expire");
            }
        }

        /** The time to live of a prefix of the log is over; some of it is already removed. */
        private void expireEvents() {
            List<Map<String, AttributeValue>> items = raw.items(id);
            if (items.isEmpty() || !forgetStaleWriters()) {
                return;
            }
            raw.putFloor(id, model.highest());
            long last = JournalTable.seq(items.get(random.nextInt(items.size())));
            for (Map<String, AttributeValue> item : items) {
                long seq = JournalTable.seq(item);
                if (seq == 0 || seq > last || !item.containsKey("ix")) {
                    continue;
                }
                raw.set(id, seq, "exp", 1_000);
                model.deleted(seq + JournalTable.number(item, "n", 1) - 1);
                if (random.nextBoolean()) {
                    raw.remove(id, seq);
                }
            }
            trace.add("events up to the commit " + last + " expire");
        }

        private void check() {
            long from = 1 + random.nextLong(model.highest() + 1);
            long to = random.nextBoolean() ? model.highest() : from - 1 + random.nextLong(model.highest() - from + 2);
            SeqRange range = SeqRange.wholeWrites(from, to, Long.MAX_VALUE);
            LogHead head = Await.result(log.head(id, from));
            assertThat(head.end().seqNr()).as("highest").isEqualTo(model.highest());
            if (!range.isEmpty()) {
                model.check("replay with the first page", from, to, replay(range, head));
                model.check("replay", from, to, replay(range, null));
            }
        }

        /** An interrupted delete may fail a replay of several pages, but only once. */
        private List<StoredEvent> replay(SeqRange range, @Nullable LogHead head) {
            try {
                return LogReading.read(log, id, range, head == null ? null : head.firstPage());
            } catch (StoreException.LogMoved moved) {
                trace.add("replay met a delete: " + moved.getMessage());
                return LogReading.read(log, id, range);
            }
        }
    }
}
