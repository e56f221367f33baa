package io.dynajournal.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.internal.catalog.Layout;
import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.layout.JournalLayout;
import io.dynajournal.internal.layout.LayoutSettings;
import io.dynajournal.internal.layout.SnapshotLayout;
import io.dynajournal.internal.layout.StateLayout;
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
                        used(dynamo -> TypicalWork.writeAndRecover(journal.open(dynamo), id, layout)),
                        used(dynamo -> TypicalWork.deleteEvents(journal.open(dynamo), id)),
                        layout.snapshots(settings(layout.snapshotTableKey()))
                                .map(this::snapshots)
                                .orElse("–"),
                        layout.states(settings("table-name", "table"))
                                .map(this::states)
                                .orElse("–"),
                        used(dynamo -> TypicalWork.query(journal, dynamo, id)))
                .collect(Collectors.joining(" | ", "| `" + layout.spelled() + "` | ", " |"));

        assertThat(Files.readAllLines(PAGE)).as("row of %s", layout.spelled()).contains(actual);
    }

    private LayoutSettings settings(String... tableKeys) {
        String table = local.freshTable();
        return new LayoutSettings(Arrays.stream(tableKeys).collect(Collectors.toMap(key -> key, key -> table)));
    }

    private String snapshots(SnapshotLayout layout) {
        local.create(layout.table());
        return used(dynamo -> TypicalWork.snapshots(layout, dynamo));
    }

    private String states(StateLayout layout) {
        local.create(layout.table());
        return used(dynamo -> {
            TypicalWork.states(layout, dynamo);
            TypicalWork.queryStates(layout, dynamo);
        });
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
