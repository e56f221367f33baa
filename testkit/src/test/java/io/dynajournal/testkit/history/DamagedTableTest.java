package io.dynajournal.testkit.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.dynamo.AwsClient;
import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.dynamo.RetrySettings;
import io.dynajournal.internal.dynamo.TableSpec;
import io.dynajournal.internal.layout.JournalLayout;
import io.dynajournal.internal.layout.SnapshotLayout;
import io.dynajournal.internal.model.Event;
import io.dynajournal.internal.model.EventBatch;
import io.dynajournal.internal.model.Payload;
import io.dynajournal.internal.model.SeqRange;
import io.dynajournal.internal.model.SliceRange;
import io.dynajournal.internal.model.Slices;
import io.dynajournal.internal.model.SnapshotCriteria;
import io.dynajournal.internal.model.StoredEvent;
import io.dynajournal.internal.model.StoredSnapshot;
import io.dynajournal.internal.store.EventJournal;
import io.dynajournal.internal.store.JournalCaches;
import io.dynajournal.internal.store.LogCheck;
import io.dynajournal.internal.store.PageToken;
import io.dynajournal.internal.store.PersistenceIds;
import io.dynajournal.internal.store.SliceIndex;
import io.dynajournal.internal.store.SlicePartition;
import io.dynajournal.internal.store.SliceRow;
import io.dynajournal.internal.store.SliceRows;
import io.dynajournal.internal.store.SnapshotTable;
import io.dynajournal.listener.RequestListener;
import io.dynajournal.testkit.simulator.SimulatedDynamoDb;
import io.dynajournal.testkit.simulator.VirtualTime;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;

/**
 * Tables in which an operator or another program has changed one attribute, or has added one item: every operation of every layout on
 * the simulated DynamoDB succeeds or fails with a {@link StoreException}, after a bounded number of requests. What was recovered and
 * then acknowledged is recovered again. {@code -Ddynajournal.damaged.every=1} tries all of the damages, and not one in 29.
 */
final class DamagedTableTest {

    private static final int EVERY = Integer.getInteger("dynajournal.damaged.every", 29);
    private static final String ID = Run.ENTITY_TYPE + "|0";
    private static final String OTHER_ID = Run.ENTITY_TYPE + "|1";
    private static final Duration LONG = Duration.ofMinutes(10);
    /** Far more than any operation needs on these few items; one that never ends has more. */
    private static final int MAX_REQUESTS = 3_000;

    private static final List<AttributeValue> VALUES = List.of(
            n("0"),
            n("-1"),
            n("1.5"),
            n("3"),
            n("4294967296"),
            n("4611686018427387904"),
            n("9223372036854775806"),
            n("9223372036854775807"),
            n("9223372036854775808"),
            n("-9223372036854775808"),
            n("1E+125"),
            n("1E-130"),
            AttributeValue.fromS(""),
            AttributeValue.fromS("NaN"),
            AttributeValue.fromS("-1"),
            AttributeValue.fromS("\u0000\uFFFF@/|$#"),
            AttributeValue.fromB(SdkBytes.fromByteArray(new byte[0])),
            AttributeValue.fromB(SdkBytes.fromByteArray(new byte[] {-1, -1, -1, -1, -1})),
            AttributeValue.fromBool(true),
            AttributeValue.fromNul(true),
            AttributeValue.fromSs(List.of("1000000000@0")),
            AttributeValue.fromSs(List.of("0@0", "-5@-9223372036854775808")),
            AttributeValue.fromNs(List.of("1")),
            AttributeValue.fromL(List.of()),
            nested(),
            AttributeValue.fromM(Map.of()));

    /** Sort keys of items that nobody of ours has written. */
    private static final List<AttributeValue> KEYS = List.of(
            n("0"),
            n("-1"),
            n("1.5"),
            n("2"),
            n("1000"),
            n("9223372036854775807"),
            n("9223372036854775808"),
            n("1E+30"),
            AttributeValue.fromS("x"),
            AttributeValue.fromS(" "),
            AttributeValue.fromS("9999999999999999999999"));

    private static AttributeValue n(String number) {
        return AttributeValue.fromN(number);
    }

    private static AttributeValue nested() {
        AttributeValue value = AttributeValue.fromL(List.of());
        for (int depth = 0; depth < 30; depth++) {
            value = AttributeValue.fromL(List.of(value));
        }
        return value;
    }

    /** A change of one item of a table; a null item before adds one. */
    private record Damage(
            String table,
            @Nullable Map<String, AttributeValue> before,
            Map<String, AttributeValue> after,
            String text) {}

    /** The tables of a layout with two logs and snapshots. */
    private static final class Fixture {
        private final Subject subject;
        private final JournalLayout layout;
        private final VirtualTime time = new VirtualTime(1);
        private final SimulatedDynamoDb server = SimulatedDynamoDb.in(time);
        private final Map<String, TableSpec> tables = new TreeMap<>();
        private final Map<String, List<Map<String, AttributeValue>>> items = new TreeMap<>();
        private final Dynamo dynamo;
        private int readers;

        Fixture(Subject subject) {
            this.subject = subject;
            this.layout = subject.journal();
            this.dynamo = new Dynamo(
                    AwsClient.of(server.client("node"), 50, time),
                    RetrySettings.DEFAULTS,
                    RequestListener.NONE,
                    time.clock(),
                    false);
            Stream.concat(Stream.of(layout.table()), subject.snapshots().map(SnapshotLayout::table).stream())
                    .forEach(table -> {
                        tables.put(table.name(), table);
                        time.await(dynamo.tables().create(table));
                    });
            write();
            time.run(Duration.ofSeconds(5));
            tables.keySet().forEach(table -> items.put(table, server.items(table)));
        }

        private void write() {
            for (String id : List.of(ID, OTHER_ID)) {
                EventJournal journal = journal();
                Object reader = id + " " + readers++;
                assertThat(time.await(journal.highestSeqNr(id, 1, reader))).isZero();
                int large = Math.min(subject.maxBytes(), 10_000);
                append(journal, reader, id, 1, List.of(event(id, 1, 10)));
                append(journal, reader, id, 2, List.of(event(id, 2, 10), event(id, 3, 10), event(id, 4, 10)));
                append(journal, reader, id, 5, List.of(event(id, 5, large)));
                append(journal, reader, id, 6, List.of(event(id, 6, 10)));
                time.await(journal.deleteTo(id, 2));
                snapshots(table -> {
                    time.await(table.save(snapshot(id, 3, 10)));
                    time.await(table.save(snapshot(id, 5, large)));
                });
            }
        }

        EventJournal journal() {
            return new EventJournal(layout.open(dynamo), new JournalCaches(100, 64L << 20, LONG), time);
        }

        private void append(EventJournal journal, Object reader, String id, long seqNr, List<Event> write) {
            time.await(journal.append(EventBatch.of(id, writer(id), seqNr, write), reader));
        }

        private static String writer(String id) {
            return id.equals(ID) ? "0b8e5f2c-3c4d-4a5b-8c6d-7e8f90a1b2c3" : "1b8e5f2c-3c4d-4a5b-8c6d-7e8f90a1b2c3";
        }

        private void snapshots(Consumer<SnapshotTable> use) {
            subject.snapshots().map(found -> found.open(dynamo)).ifPresent(use);
        }

        private StoredSnapshot snapshot(String id, long seqNr, int bytes) {
            return new StoredSnapshot(id, seqNr, time.clock().millis(), payload(id, seqNr, bytes), null);
        }

        private static Event event(String id, long seqNr, int bytes) {
            return new Event(payload(id, seqNr, bytes), "", Set.of(), null);
        }

        private static Payload payload(String id, long seqNr, int bytes) {
            StringBuilder text = new StringBuilder(id + " " + seqNr);
            // Does not compress.
            for (int i = 0; text.length() < bytes; i++) {
                text.append(Integer.toHexString(Objects.hash(i, seqNr) * 0x9E3779B9));
            }
            return new Payload(7, "m", text.toString().getBytes(StandardCharsets.UTF_8));
        }

        private List<String> keys(String table) {
            TableSpec spec = Objects.requireNonNull(tables.get(table));
            TableSpec.Key range = spec.range();
            return range == null
                    ? List.of(spec.hash().name())
                    : List.of(spec.hash().name(), range.name());
        }

        List<Damage> damages() {
            List<Damage> all = new ArrayList<>();
            items.forEach((table, stored) -> stored.forEach(item -> {
                Set<String> keys = Set.copyOf(keys(table));
                item.keySet().stream()
                        .filter(name -> !keys.contains(name))
                        .sorted()
                        .forEach(name -> {
                            all.add(new Damage(table, item, without(item, name), name + " is missing"));
                            VALUES.forEach(value ->
                                    all.add(new Damage(table, item, with(item, name, value), name + " is " + value)));
                        });
                Map<String, AttributeValue> keyOnly = new HashMap<>(item);
                keyOnly.keySet().retainAll(keys);
                all.add(new Damage(table, item, keyOnly, "there is nothing but its key"));
                TableSpec.Key range = Objects.requireNonNull(tables.get(table)).range();
                if (range != null) {
                    KEYS.stream()
                            .filter(key -> key.type().name().equals(range.type()))
                            .forEach(key -> {
                                all.add(new Damage(table, null, with(item, range.name(), key), "a copy at " + key));
                                all.add(new Damage(
                                        table, null, with(keyOnly, range.name(), key), "a foreign item at " + key));
                            });
                }
            }));
            return all;
        }

        private static Map<String, AttributeValue> with(
                Map<String, AttributeValue> item, String name, AttributeValue value) {
            Map<String, AttributeValue> changed = new HashMap<>(item);
            changed.put(name, value);
            return changed;
        }

        private static Map<String, AttributeValue> without(Map<String, AttributeValue> item, String name) {
            Map<String, AttributeValue> changed = new HashMap<>(item);
            changed.remove(name);
            return changed;
        }

        /** False if DynamoDB does not take it, because an index has the attribute as its key. */
        boolean apply(Damage damage) {
            try {
                time.await(server.client("operator")
                        .putItem(put -> put.tableName(damage.table()).item(damage.after())));
                return true;
            } catch (DynamoDbException e) {
                return false;
            }
        }

        void restore() {
            items.forEach((table, stored) -> {
                List<String> keys = keys(table);
                for (Map<String, AttributeValue> item : server.items(table)) {
                    Map<String, AttributeValue> key = new HashMap<>(item);
                    key.keySet().retainAll(keys);
                    time.await(server.client("operator")
                            .deleteItem(delete -> delete.tableName(table).key(key)));
                }
                stored.forEach(item -> time.await(server.client("operator")
                        .putItem(put -> put.tableName(table).item(item))));
            });
            time.run(Duration.ofSeconds(5));
        }

        /** All operations; what fails, fails with a StoreException. */
        void useEverything() {
            SliceRange slices = subject.has(Limit.PARTITION_PER_SLICE)
                    ? new SliceRange(Slices.of(ID), Slices.of(ID))
                    : SliceRange.ALL;
            layout.slices(dynamo).ifPresent(index -> attempt(() -> query(index, slices)));
            layout.tagged(dynamo).ifPresent(tagged -> attempt(() -> tagged.find("red", 0)));
            for (PersistenceIds ids : List.of(layout.ids(dynamo), layout.idsOfTable(dynamo))) {
                attempt(() -> allIds(ids, null, 0));
            }
            for (LogCheck check : layout.checks(dynamo)) {
                attempt(() -> check.check(ID));
            }
            snapshots(table -> {
                attempt(() -> table.load(ID, SnapshotCriteria.ALL));
                attempt(() -> table.newestSeqNr(ID));
            });
            acknowledgedIsRecovered();
            attempt(() -> journal().deleteTo(ID, 5));
            attempt(() -> recovered(journal(), "after a delete"));
            snapshots(table -> {
                attempt(() -> table.save(snapshot(ID, 6, 10)));
                attempt(() -> table.delete(ID, SnapshotCriteria.ALL));
            });
            attempt(() -> layout.open(dynamo).reset(ID));
        }

        private void acknowledgedIsRecovered() {
            EventJournal journal = journal();
            String reader = "reader " + readers++;
            Optional<Recovery> before = attempt(() -> recovered(journal, reader));
            if (before.isEmpty() || before.get().highest() >= Long.MAX_VALUE - 1) {
                return;
            }
            long next = before.get().highest() + 1;
            EventBatch batch =
                    EventBatch.of(ID, "2b8e5f2c-3c4d-4a5b-8c6d-7e8f90a1b2c3", next, List.of(event(ID, next, 10)));
            if (attempt(() -> journal.append(batch, reader).thenApply(done -> true))
                    .isPresent()) {
                attempt(() -> recovered(journal(), "another")).ifPresent(after -> {
                    assertThat(after.highest())
                            .as("the highest sequence number")
                            .isEqualTo(next);
                    assertThat(after.events()).as("events").contains(next);
                });
            }
        }

        private record Recovery(long highest, List<Long> events) {}

        private CompletionStage<Recovery> recovered(EventJournal journal, Object reader) {
            List<Long> events = new ArrayList<>();
            return journal.highestSeqNr(ID, 1, reader)
                    .thenCompose(highest -> journal.replay(
                                    ID, SeqRange.wholeWrites(1, highest, Long.MAX_VALUE), page -> {
                                        page.forEach(event ->
                                                events.add(checked(event).seqNr()));
                                        return CompletableFuture.completedFuture(null);
                                    })
                            .thenApply(done -> new Recovery(highest, events)));
        }

        /** On the native layout an event is what was written under its sequence number. */
        private StoredEvent checked(StoredEvent event) {
            if (subject.name().startsWith("commits")) {
                assertThat(new String(event.event().payload().bytes(), StandardCharsets.UTF_8))
                        .startsWith(ID + " " + event.seqNr());
            }
            return event;
        }

        private CompletionStage<List<List<StoredEvent>>> query(SliceIndex index, SliceRange slices) {
            return index.partitions(Run.ENTITY_TYPE, slices)
                    .thenCompose(partitions -> rows(index, partitions, 0, new ArrayList<>()))
                    .thenCompose(index::events);
        }

        private CompletionStage<List<SliceRow>> rows(
                SliceIndex index, List<SlicePartition> partitions, int at, List<SliceRow> found) {
            assertThat(partitions).as("partitions").hasSizeLessThan(100_000);
            return at == partitions.size() || found.size() > 100
                    ? CompletableFuture.completedFuture(found)
                    : index.read(partitions.get(at), 0, Long.MAX_VALUE, null, 100)
                            .thenApply(SliceRows.RowPage::rows)
                            .thenCompose(rows -> {
                                found.addAll(rows);
                                return rows(index, partitions, at + 1, found);
                            });
        }

        private CompletionStage<Integer> allIds(PersistenceIds ids, @Nullable PageToken start, int found) {
            return ids.read(start).thenCompose(page -> {
                PageToken next = page.next();
                return next == null
                        ? CompletableFuture.completedFuture(found + page.ids().size())
                        : allIds(ids, next, found + page.ids().size());
            });
        }

        private <T> Optional<T> attempt(Supplier<CompletionStage<T>> operation) {
            long before = server.requests();
            CompletableFuture<T> stage = operation.get().toCompletableFuture();
            while (!stage.isDone() && time.runNext()) {
                assertThat(server.requests() - before).as("requests").isLessThan(MAX_REQUESTS);
            }
            try {
                return Optional.ofNullable(time.await(stage));
            } catch (StoreException e) {
                assertThat(e.getMessage()).doesNotContain("null").hasSizeLessThan(2_000);
                return Optional.empty();
            }
        }
    }

    static List<Subject> subjects() {
        return Subject.all();
    }

    @ParameterizedTest
    @MethodSource("subjects")
    void everyOperationEndsAndNothingAcknowledgedIsLost(Subject subject) {
        Fixture fixture = new Fixture(subject);
        fixture.useEverything();
        fixture.restore();
        List<Damage> damages = fixture.damages();
        assertThat(damages).hasSizeGreaterThan(500);
        Map<String, String> failures = new TreeMap<>();
        int tried = 0;
        for (int i = 0; i < damages.size(); i += EVERY) {
            Damage damage = damages.get(i);
            if (!fixture.apply(damage)) {
                continue;
            }
            tried++;
            try {
                fixture.useEverything();
                fixture.restore();
            } catch (RuntimeException | AssertionError e) {
                failures.putIfAbsent(text(e), damage.text() + ", in table " + damage.table() + ": " + damage.after());
                // What has not ended goes on in the old one.
                fixture = new Fixture(subject);
            }
        }
        assertThat(tried).isGreaterThan(10);
        assertThat(failures).isEmpty();
    }

    private static String text(Throwable failure) {
        Throwable cause = failure;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        StackTraceElement[] trace = cause.getStackTrace();
        return cause
                + Stream.of(trace)
                        .filter(line -> line.getClassName().startsWith("io.dynajournal"))
                        .limit(8)
                        .map(line -> "\n    at " + line)
                        .reduce("", String::concat);
    }
}
