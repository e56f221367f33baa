package io.dynajournal.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.internal.catalog.Layout;
import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.dynamo.TableSpec;
import io.dynajournal.internal.layout.JournalLayout;
import io.dynajournal.internal.layout.LayoutSettings;
import io.dynajournal.internal.layout.SnapshotLayout;
import io.dynajournal.internal.layout.StateLayout;
import io.dynajournal.internal.model.Payload;
import io.dynajournal.internal.model.SliceRange;
import io.dynajournal.internal.model.StateChange;
import io.dynajournal.internal.model.StoredSnapshot;
import io.dynajournal.internal.projections.BatchLog;
import io.dynajournal.internal.projections.OffsetTable;
import io.dynajournal.internal.projections.Position;
import io.dynajournal.internal.projections.ProjectionOffsets;
import io.dynajournal.internal.projections.SeqNrRow;
import io.dynajournal.internal.projections.SequenceReset;
import io.dynajournal.internal.projections.SliceRow;
import io.dynajournal.internal.projections.StoredOffsets;
import io.dynajournal.internal.store.SlicePartition;
import io.dynajournal.internal.store.StateTable;
import io.dynajournal.listener.RequestListener;
import io.dynajournal.testkit.Await;
import io.dynajournal.testkit.FaultProxy;
import io.dynajournal.testkit.HeldRequest;
import io.dynajournal.testkit.IamPolicy;
import io.dynajournal.testkit.LocalDynamo;
import io.dynajournal.testkit.LogWriter;
import io.dynajournal.testkit.RequestMatch;
import io.dynajournal.testkit.TestEvents;
import io.dynajournal.testkit.TypicalWork;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The printed policies against the requests that are sent: each role's policy allows all of them, and grants nothing else.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PolicyTest {

    @RegisterExtension
    final LocalDynamo local = new LocalDynamo();

    /** The tables of a layout, and the options that name them. */
    private final class Tables {
        private final Layout layout;
        private final String offsets = local.freshTable();
        private final JournalLayout journal;
        private final Optional<SnapshotLayout> snapshots;
        private final Optional<StateLayout> states;
        private final List<String> options = new ArrayList<>();
        private final List<String> kinds = new ArrayList<>(List.of("journal"));

        Tables(Layout layout) {
            this.layout = layout;
            journal = layout.journal(settings("--table", layout.journalTableKey()));
            options.addAll(List.of("--layout", layout.spelled()));
            if (layout == Layout.COMMITS) {
                options.addAll(List.of("--set", "index.slices=true"));
            }
            snapshots = layout == Layout.SCLASEN
                    ? Optional.empty()
                    : layout.snapshots(settings("--snapshot-table", layout.snapshotTableKey()));
            states = layout == Layout.COMMITS || layout == Layout.J5IK2O
                    ? layout.states(settings("--state-table", layout.journalTableKey()))
                    : Optional.empty();
            snapshots.ifPresent(found -> kinds.add("snapshots"));
            states.ifPresent(found -> kinds.add("states"));
        }

        private LayoutSettings settings(String option, String key) {
            String table = local.freshTable();
            options.addAll(List.of(option, table));
            // The index of snapshots of the native layout is off by default.
            return new LayoutSettings(Map.of(key, table, "index.slices", "true"));
        }

        Tables create() {
            local.create(journal.table());
            snapshots.ifPresent(found -> local.create(found.table()));
            states.ifPresent(found -> local.create(found.table()));
            local.create(ProjectionOffsets.table(offsets));
            return this;
        }

        /** What plugins check at their start. */
        void check(Dynamo dynamo) {
            List<TableSpec> required = new ArrayList<>(List.of(journal.required()));
            snapshots.ifPresent(found -> required.add(found.required()));
            states.ifPresent(found -> required.add(found.table()));
            required.forEach(table -> Await.result(dynamo.tables().verify(table)));
        }

        /** With the option that names each table in place of its name. */
        List<String> named(Set<String> grants) {
            return grants.stream()
                    .map(grant -> {
                        String named = grant;
                        for (int i = 0; i < options.size(); i += 2) {
                            named = named.replace(options.get(i + 1), options.get(i));
                        }
                        return named;
                    })
                    .toList();
        }

        IamPolicy policy(String role) {
            CommandOutcome printed = run(
                    "tables",
                    "print",
                    "--policy",
                    role,
                    "--stores",
                    String.join(",", kinds),
                    "--region",
                    "eu-central-1",
                    "--account",
                    "123456789012");
            assertThat(printed.code()).as(printed.err()).isZero();
            return IamPolicy.parse(printed.out());
        }

        CommandOutcome run(String... words) {
            List<String> all = new ArrayList<>(List.of(words));
            if (all.get(0).equals("tables") && all.contains("projection")) {
                all.addAll(List.of("--offsets", offsets));
            }
            all.addAll(options);
            return CommandOutcome.of(all);
        }

        /** A command that reads one table. */
        void look(FaultProxy proxy, String tableOption, String... words) {
            List<String> all = new ArrayList<>(List.of(words));
            all.addAll(List.of(
                    "--layout", layout.spelled(), "--endpoint", proxy.endpoint().toString()));
            all.addAll(List.of("--table", options.get(options.indexOf(tableOption) + 1)));
            CommandOutcome outcome = CommandOutcome.of(all);
            assertThat(outcome.code()).as("%s: %s", all, outcome.err()).isZero();
        }

        void command(FaultProxy proxy, String... words) {
            List<String> all = new ArrayList<>(List.of(words));
            all.addAll(List.of("--endpoint", proxy.endpoint().toString()));
            CommandOutcome outcome = run(all.toArray(String[]::new));
            assertThat(outcome.code()).as("%s: %s", all, outcome.err()).isZero();
        }
    }

    private FaultProxy observed(IamPolicy policy) {
        return local.proxy().observe(policy::allows);
    }

    private Dynamo open(FaultProxy proxy) {
        return local.open(proxy, LocalDynamo.PATIENT, RequestListener.NONE);
    }

    private static void assertExact(Tables tables, IamPolicy policy) {
        assertThat(tables.named(policy.denied())).as("sent, but not granted").isEmpty();
        assertThat(tables.named(policy.unused())).as("granted, but not sent").isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Layout.class)
    void theWritersPolicyIsWhatEntitiesNeed(Layout layout) {
        Tables tables = new Tables(layout).create();
        IamPolicy policy = tables.policy("writer");
        FaultProxy proxy = observed(policy);
        Dynamo dynamo = open(proxy);
        String id = TestEvents.freshId();
        TypicalWork.writeAndRecover(tables.journal.open(dynamo), id, layout);
        TypicalWork.deleteEvents(tables.journal.open(dynamo), id);
        tables.snapshots.ifPresent(snapshots -> TypicalWork.snapshots(snapshots, dynamo));
        tables.states.ifPresent(states -> TypicalWork.states(states, dynamo));
        tables.check(dynamo);
        if (layout == Layout.COMMITS) {
            writeGroup(tables.journal, proxy);
        }
        assertExact(tables, policy);
    }

    /** Two writes that wait for the only connection go together. */
    private void writeGroup(JournalLayout journal, FaultProxy proxy) {
        var log = journal.open(local.open(proxy, LocalDynamo.PATIENT, RequestListener.NONE, 1));
        List<LogWriter> writers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            writers.add(LogWriter.recover(log, TestEvents.freshId()));
        }
        HeldRequest first = proxy.when(RequestMatch.operation("PutItem")
                        .containing(writers.get(0).persistenceId()))
                .hold();
        List<CompletionStage<?>> sent = new ArrayList<>();
        writers.forEach(writer -> {
            sent.add(writer.send(writer.next(TestEvents.events(1, 50))));
            if (sent.size() == 1) {
                first.awaitArrival();
            }
        });
        first.release();
        sent.forEach(Await::result);
    }

    /** With the separator of j5ik2o's keys, without which they collide. */
    private static String cart() {
        return "cart|" + TestEvents.freshId().replace('|', '-');
    }

    /** Stores events, snapshots and states with a client of its own; returns their persistence id. */
    private String stored(Tables tables) {
        Dynamo dynamo = local.open(RequestListener.NONE);
        String id = cart();
        // In the native layout more than an item holds.
        int bytes = tables.layout == Layout.COMMITS ? 500_000 : 200;
        Payload payload = new Payload(1, "", TestEvents.randomBytes(bytes));
        LogWriter.recover(tables.journal.open(dynamo), id).write(3).write(TestEvents.events(1, bytes));
        tables.snapshots.ifPresent(snapshots -> {
            for (long seqNr = 1; seqNr <= 2; seqNr++) {
                Await.result(snapshots.open(dynamo).save(new StoredSnapshot(id, seqNr, seqNr, payload, null)));
            }
        });
        tables.states.ifPresent(states -> {
            StateTable table = states.open(dynamo, TestEvents.freshWriter());
            Await.result(table.write(StateChange.update(id, 1, payload, "")));
            String deleted = cart();
            Await.result(table.write(StateChange.update(deleted, 1, payload, "")));
            Await.result(table.delete(deleted));
        });
        return id;
    }

    @ParameterizedTest
    @EnumSource(Layout.class)
    void theReadersPolicyIsWhatQueriesAndCommandsNeed(Layout layout) {
        Tables tables = new Tables(layout).create();
        String id = stored(tables);
        IamPolicy policy = tables.policy("reader");
        FaultProxy proxy = observed(policy);
        tables.look(proxy, "--table", "events", id);
        tables.look(proxy, "--table", "highest", id);
        tables.look(proxy, "--table", "ids");
        if (tables.snapshots.isPresent()) {
            tables.look(proxy, "--snapshot-table", "snapshots", id);
        }
        if (tables.states.isPresent()) {
            tables.look(proxy, "--state-table", "state", id);
        }
        tables.command(proxy, "tables", "verify", "--stores", String.join(",", tables.kinds));
        Dynamo dynamo = open(proxy);
        TypicalWork.query(tables.journal, dynamo, id);
        tables.states.ifPresent(states -> TypicalWork.queryStates(states, dynamo));
        tables.snapshots.ifPresent(snapshots -> snapshotsBySlice(snapshots, dynamo));
        assertExact(tables, policy);
    }

    private static void snapshotsBySlice(SnapshotLayout layout, Dynamo dynamo) {
        layout.slices(dynamo).ifPresent(index -> {
            for (SlicePartition partition : index.partitions("cart", SliceRange.ALL)) {
                Await.result(
                        index.load(Await.result(index.read(partition, 0, null)).keys()));
            }
        });
    }

    @ParameterizedTest
    @EnumSource(names = {"COMMITS", "AKKA2"})
    void theProjectionsPolicyIsWhatProjectionsNeed(Layout layout) {
        Tables tables = new Tables(layout).create();
        String id = stored(tables);
        IamPolicy policy = tables.policy("projection");
        FaultProxy proxy = observed(policy);
        Dynamo dynamo = open(proxy);
        tables.check(dynamo);
        tables.journal.slices(dynamo).ifPresent(TypicalWork::bySlice);
        Await.result(tables.journal.open(dynamo).end(id));
        tables.states.ifPresent(states -> states.changes(dynamo).ifPresent(TypicalWork::changes));
        tables.snapshots.ifPresent(snapshots -> snapshotsBySlice(snapshots, dynamo));

        Await.result(dynamo.tables().verify(ProjectionOffsets.table(tables.offsets)));
        OffsetTable offsets = new OffsetTable(dynamo, tables.offsets, "p", null);
        Await.result(offsets.own(SliceRange.ALL, SliceRow.NONE, null, "owner"));
        Await.result(offsets.putSeqNrs(Map.of(id, new SeqNrRow(1, 1, 0))));
        Await.result(offsets.commit(
                List.of(),
                List.of(new OffsetTable.Write(new Position("cart|new", 1, 1), new SeqNrRow(1, 1, 0), null))));
        StoredOffsets stored = Await.result(offsets.read(SliceRange.ALL));
        BatchLog log = Await.result(BatchLog.read(offsets, stored, "owner", SequenceReset.NEVER));
        Await.result(log.append(Map.of(id, new SeqNrRow(2, 2, 0))));
        Await.result(offsets.ownLogs(List.of(SliceRange.ALL), "owner"));
        Await.result(log.commit(List.of(), Map.of(id, new SeqNrRow(3, 3, 0))));
        Await.result(offsets.putOwnedWithLog(SliceRange.ALL, SliceRow.NONE, "owner", "owner"));
        Await.result(log.forget(Long.MAX_VALUE));
        for (String[] words : List.of(
                new String[] {"list"}, new String[] {"pause", "p", "--yes"}, new String[] {"clear", "p", "--yes"})) {
            List<String> all = new ArrayList<>(List.of("projections"));
            all.addAll(List.of(words));
            all.addAll(List.of(
                    "--offsets", tables.offsets, "--endpoint", proxy.endpoint().toString()));
            CommandOutcome outcome = CommandOutcome.of(all);
            assertThat(outcome.code()).as(outcome.err()).isZero();
        }
        assertExact(tables, policy);
    }

    @ParameterizedTest
    @EnumSource(Layout.class)
    void theCleanupsPolicyIsWhatCleanupsNeed(Layout layout) {
        Tables tables = new Tables(layout).create();
        IamPolicy policy = tables.policy("cleanup");
        FaultProxy proxy = observed(policy);
        List<String> deletes = new ArrayList<>(List.of("events"));
        tables.snapshots.ifPresent(found -> deletes.addAll(List.of("before-snapshot", "snapshots", "all")));
        tables.states.ifPresent(found -> deletes.add("states"));
        for (String delete : deletes) {
            stored(tables);
            tables.command(proxy, "cleanup", "--delete", delete, "--entity-type", "cart", "--yes");
        }
        // Up to an event in the middle of an atomic write.
        tables.command(proxy, "cleanup", "--delete", "events", "--to", "2", "--yes", stored(tables));
        for (String reset : List.of("events", "states")) {
            if (deletes.contains(reset)) {
                String id = stored(tables);
                tables.command(proxy, "cleanup", "--delete", reset, "--reset", "--yes", id);
            }
        }
        if (layout == Layout.COMMITS) {
            tables.command(proxy, "cleanup", "--delete", "tombstones", "--entity-type", "cart", "--yes");
        }
        tables.check(open(proxy));
        assertExact(tables, policy);
    }

    @ParameterizedTest
    @EnumSource(Layout.class)
    void theAdminsPolicyIsWhatCreatesAndComparesTables(Layout layout) {
        Tables tables = new Tables(layout);
        IamPolicy policy = tables.policy("admin");
        FaultProxy proxy = observed(policy);
        String kinds = String.join(",", tables.kinds);
        tables.command(proxy, "tables", "create", "--yes", "--stores", kinds);
        tables.command(proxy, "tables", "verify", "--stores", kinds);
        assertExact(tables, policy);
    }

    @Test
    void whatIsNotGrantedIsFound() {
        Tables tables = new Tables(Layout.COMMITS).create();
        IamPolicy policy = tables.policy("reader");
        LogWriter.recover(tables.journal.open(open(observed(policy))), TestEvents.freshId())
                .write(1);
        assertThat(tables.named(policy.denied()))
                .contains("dynamodb:PutItem on arn:aws:dynamodb:eu-central-1:123456789012:table/--table");
        assertThat(policy.unused()).anyMatch(grant -> grant.endsWith("/index/slices"));
    }

    @Test
    void withoutAnIndexBySliceThereIsNoPolicyForProjections() {
        CommandOutcome outcome = CommandOutcome.of(
                List.of("tables", "print", "--policy", "projection", "--layout", "akka1", "--stores", "journal"));
        assertThat(outcome.code()).isEqualTo(2);
        assertThat(outcome.err()).contains("must have an index by slice");
    }

    @Test
    void theArnHasTheRegionsPartition() {
        for (String[] each : new String[][] {{"cn-north-1", "arn:aws-cn:"}, {"us-gov-west-1", "arn:aws-us-gov:"}}) {
            CommandOutcome outcome =
                    CommandOutcome.of(List.of("tables", "print", "--policy", "writer", "--region", each[0]));
            assertThat(outcome.out()).contains(each[1] + "dynamodb:" + each[0] + ":*:table/dynajournal_events\"");
        }
        assertThat(CommandOutcome.of(List.of("tables", "print", "--policy", "writer"))
                        .out())
                .contains("\"arn:aws:dynamodb:*:*:table/dynajournal_events\"");
    }
}
