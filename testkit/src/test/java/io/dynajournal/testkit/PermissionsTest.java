package io.dynajournal.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.internal.catalog.Layout;
import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.layout.JournalLayout;
import io.dynajournal.internal.layout.LayoutSettings;
import io.dynajournal.internal.layout.SnapshotLayout;
import io.dynajournal.internal.layout.StateLayout;
import io.dynajournal.internal.model.Payload;
import io.dynajournal.internal.model.SliceRange;
import io.dynajournal.internal.model.SnapshotCriteria;
import io.dynajournal.internal.model.StateChange;
import io.dynajournal.internal.model.StoredSnapshot;
import io.dynajournal.internal.store.EventLog;
import io.dynajournal.internal.store.SliceIndex;
import io.dynajournal.internal.store.SlicePartition;
import io.dynajournal.internal.store.SnapshotTable;
import io.dynajournal.internal.store.StateTable;
import io.dynajournal.listener.RequestListener;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The permissions that docs/operations.md lists are those that each feature of each layout uses: no more, because a policy
 * should be small, and no fewer, because a missing one fails in production.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PermissionsTest {

    private static final Path PAGE = Path.of("../docs/operations.md");

    /** A transaction needs the permissions of its parts. */
    private static final Map<String, String> PARTS_OF_TRANSACTIONS = Map.of(
            "\"Put\"", "PutItem",
            "\"Update\"", "UpdateItem",
            "\"Delete\"", "DeleteItem",
            "\"ConditionCheck\"", "ConditionCheckItem");

    @RegisterExtension
    final LocalDynamo local = new LocalDynamo();

    @ParameterizedTest
    @EnumSource(Layout.class)
    void documentedPermissionsAreThoseThatAreUsed(Layout layout) throws IOException {
        JournalLayout journal = layout.journal(settings(layout.journalTableKey()));
        local.create(journal.table());
        String id = TestEvents.freshId();

        String actual = Stream.of(
                        used(dynamo -> writeAndRecover(journal.open(dynamo), id, layout)),
                        used(dynamo -> deleteEvents(journal.open(dynamo), id)),
                        layout.snapshots(settings(layout.snapshotTableKey()))
                                .map(this::snapshots)
                                .orElse("–"),
                        layout.states(settings("table-name", "table"))
                                .map(this::states)
                                .orElse("–"),
                        used(dynamo -> query(journal, dynamo, id)))
                .collect(Collectors.joining(" | ", "| `" + layout.spelled() + "` | ", " |"));

        assertThat(Files.readAllLines(PAGE)).as("row of %s", layout.spelled()).contains(actual);
    }

    private LayoutSettings settings(String... tableKeys) {
        String table = local.freshTable();
        return new LayoutSettings(Arrays.stream(tableKeys).collect(Collectors.toMap(key -> key, key -> table)));
    }

    /** Single events, atomic writes of several, one of several items where the layout can, and a replay of all. */
    private static void writeAndRecover(EventLog log, String id, Layout layout) {
        LogWriter.recover(log, id).write(1).write(TestEvents.events(3, 200));
        // More than a transaction holds, where the layout can.
        boolean limited = layout == Layout.J5IK2O || layout == Layout.SCLASEN;
        LogWriter.recover(log, id).write(TestEvents.events(limited ? 60 : 120, 200));
        if (layout == Layout.COMMITS) {
            LogWriter.recover(log, id).write(TestEvents.events(1, 500_000));
        }
        LogReading.all(log, id);
    }

    private static void deleteEvents(EventLog log, String id) {
        Await.result(log.deleteTo(id, 2));
        Await.result(log.deleteTo(id, Long.MAX_VALUE));
    }

    private String snapshots(SnapshotLayout layout) {
        local.create(layout.table());
        return used(dynamo -> {
            SnapshotTable table = layout.open(dynamo);
            String id = TestEvents.freshId();
            for (long seqNr = 1; seqNr <= 3; seqNr++) {
                Await.result(table.save(new StoredSnapshot(
                        id, seqNr, 1000 + seqNr, new Payload(5, "state", TestEvents.randomBytes(200)), null)));
            }
            SnapshotCriteria all = new SnapshotCriteria(0, Long.MAX_VALUE, 0, Long.MAX_VALUE);
            assertThat(Await.result(table.load(id, all))).isPresent();
            Await.result(table.delete(id, SnapshotCriteria.exactly(2)));
            Await.result(table.delete(id, all));
        });
    }

    private String states(StateLayout layout) {
        local.create(layout.table());
        return used(dynamo -> {
            StateTable table = layout.open(dynamo, TestEvents.freshWriter());
            String id = TestEvents.freshId();
            Await.result(table.get(id));
            Await.result(table.write(StateTableContract.update(id, 1, 200)));
            Await.result(table.write(StateTableContract.update(id, 2, 200)));
            Await.result(table.write(StateChange.delete(id, 3)));
            Await.result(table.delete(id));
            Await.result(table.ids(null, 10));
            layout.changes(dynamo).ifPresent(changes -> {
                for (SlicePartition partition : Await.result(changes.partitions("cart", SliceRange.ALL))) {
                    Await.result(changes.states(Await.result(changes.read(partition, 0, Long.MAX_VALUE, null, 10))
                            .rows()));
                }
            });
        });
    }

    private static void query(JournalLayout journal, Dynamo dynamo, String id) {
        LogReading.all(journal.open(dynamo), id);
        Await.result(journal.ids(dynamo).read(null));
        journal.slices(dynamo).ifPresent(PermissionsTest::bySlice);
        journal.tagged(dynamo).ifPresent(tagged -> Await.result(tagged.events(Await.result(tagged.find("red", 0)))));
    }

    private static void bySlice(SliceIndex index) {
        for (SlicePartition partition : Await.result(index.partitions("cart", SliceRange.ALL))) {
            Await.result(index.events(Await.result(index.read(partition, 0, Long.MAX_VALUE, null, 10))
                    .rows()));
        }
    }

    /** The IAM actions of the requests that the work sends. */
    private String used(Consumer<Dynamo> work) {
        FaultProxy proxy = local.proxy();
        work.accept(local.open(proxy, LocalDynamo.PATIENT, RequestListener.NONE));
        Set<String> actions = new TreeSet<>();
        for (ProxiedRequest request : proxy.requests(RequestMatch.all())) {
            actions.add(request.operation());
        }
        if (actions.remove("TransactWriteItems")) {
            RequestMatch transactions = RequestMatch.operation("TransactWriteItems");
            PARTS_OF_TRANSACTIONS.forEach((part, action) -> {
                if (!proxy.requests(transactions.containing(part)).isEmpty()) {
                    actions.add(action);
                }
            });
        }
        assertThat(actions).as("actions").isNotEmpty();
        List<String> shown = actions.stream().map(action -> "`" + action + "`").toList();
        return String.join(", ", shown);
    }
}
