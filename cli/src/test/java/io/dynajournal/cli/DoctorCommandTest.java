package io.dynajournal.cli;

import static io.dynajournal.cli.DoctorFixture.garbage;
import static io.dynajournal.cli.DoctorFixture.n;
import static io.dynajournal.cli.DoctorFixture.s;
import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.internal.catalog.Layout;
import io.dynajournal.internal.layout.commits.CommitsSnapshots;
import io.dynajournal.internal.model.EventBatch;
import io.dynajournal.internal.model.Payload;
import io.dynajournal.internal.model.StoredSnapshot;
import io.dynajournal.internal.projections.OffsetTable;
import io.dynajournal.internal.projections.ProjectionOffsets;
import io.dynajournal.internal.projections.SeqNrRow;
import io.dynajournal.internal.store.EventLog;
import io.dynajournal.listener.RequestListener;
import io.dynajournal.testkit.Await;
import io.dynajournal.testkit.GoldenSet;
import io.dynajournal.testkit.LocalDynamo;
import io.dynajournal.testkit.LogReading;
import io.dynajournal.testkit.LogWriter;
import io.dynajournal.testkit.TestEvents;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Each kind of damage is planted and found, a sound store has no finding, and a repaired one recovers. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DoctorCommandTest {

    @RegisterExtension
    final LocalDynamo local = new LocalDynamo();

    /** A sound log, beside which another one is damaged. */
    private DoctorFixture journal(Layout layout) {
        DoctorFixture journal = new DoctorFixture(local, layout);
        LogWriter.recover(journal.log(), "sound-1").write(2).writeSingles(2);
        return journal;
    }

    @ParameterizedTest
    @EnumSource(Layout.class)
    void logsThatAreSoundHaveNoFinding(Layout layout) {
        DoctorFixture journal = journal(layout);
        EventLog log = journal.log();
        LogWriter.recover(log, "typed|long-1").writeSingles(105);
        LogWriter.recover(log, "deleted-1").write(3).writeSingles(5);
        Await.result(log.deleteTo("deleted-1", 4));
        LogWriter.recover(log, "gone-1").write(3);
        Await.result(log.deleteTo("gone-1", 3));
        LogWriter.recover(log, "moved-1").write(1);
        LogWriter.recover(log, "moved-1").write(1);
        LogWriter.recover(log, "rejected-1").write(1).writeAt(4, TestEvents.events(2, 20));
        if (layout == Layout.COMMITS) {
            LogWriter.recover(log, "large-1").write(TestEvents.events(1, 900_000));
            LogWriter.recover(log, "large-2")
                    .write(TestEvents.events(1, 900_000))
                    .write(1);
            Await.result(log.deleteTo("large-2", 1));
        }
        assertThat(journal.findings()).isEmpty();
        assertThat(journal.findings("sound-1", "gone-1")).isEmpty();
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "akka-2.0.12, AKKA2, event_journal",
        "akka-1.3.0, AKKA1, akka-persistence",
        "pekko-1.1.0, AKKA1, pekko-persistence",
        "j5ik2o-1.16.492, J5IK2O, Journal"
    })
    void goldenSetsHaveNoFinding(String set, Layout layout, String table) {
        DoctorFixture journal = new DoctorFixture(local, layout);
        new GoldenSet(set).load(local, table, journal.table());
        assertThat(journal.findings()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Layout.class)
    void writesInFlightAreNoFinding(Layout layout) {
        DoctorFixture journal = journal(layout);
        EventLog log = journal.log();
        AtomicBoolean done = new AtomicBoolean();
        CompletableFuture<Void> writers = CompletableFuture.runAsync(() -> {
            LogWriter busy = LogWriter.recover(log, "busy-1");
            LogWriter large = LogWriter.recover(log, "busy-2");
            for (int round = 0; !done.get(); round++) {
                busy.write(5);
                large.write(layout == Layout.COMMITS ? TestEvents.events(1, 900_000) : TestEvents.events(3, 100));
                if (round % 3 == 2) {
                    Await.result(log.deleteTo("busy-1", busy.seen().seqNr() - 2));
                    Await.result(log.deleteTo("busy-2", large.seen().seqNr()));
                }
            }
        });
        try {
            assertThat(journal.findings("--settle", "1", "--grace", "1")).isEmpty();
        } finally {
            done.set(true);
        }
        writers.join();
    }

    @ParameterizedTest
    @EnumSource(Layout.class)
    void gapsAreFound(Layout layout) {
        DoctorFixture journal = journal(layout);
        LogWriter.recover(journal.log(), "lost-1").writeSingles(5);
        journal.delete(journal.event("lost-1", 3));
        assertThat(journal.findings()).containsExactly("gap lost-1");
        assertThat(journal.findings("sound-1")).isEmpty();
        assertThat(journal.doctor("lost-1").out()).contains("sequence number").contains("\"repair\":\"\"");
    }

    @ParameterizedTest
    @EnumSource(Layout.class)
    void damagedItemsAreFound(Layout layout) {
        DoctorFixture journal = journal(layout);
        LogWriter.recover(journal.log(), "broken-1").writeSingles(3);
        Map<String, AttributeValue> item = journal.event("broken-1", 2);
        item.put(journal.payload(), journal.payload().endsWith("_id") ? s("seven") : garbage());
        journal.put(item);
        assertThat(journal.findings()).containsExactly("damaged-item broken-1");
    }

    @ParameterizedTest
    @EnumSource(Layout.class)
    void writersThatWroteInTurnAreFound(Layout layout) {
        DoctorFixture journal = journal(layout);
        LogWriter first = LogWriter.recover(journal.log(), "twice-1").write(1);
        LogWriter second = LogWriter.recover(journal.log(), "twice-1").write(1);
        Await.result(journal.log()
                .append(EventBatch.of("twice-1", first.uuid(), 3, TestEvents.events(1, 20)), second.seen()));
        assertThat(journal.findings()).containsExactly("interleaved-writers twice-1");
    }

    @Test
    void partsThatBelongToNothingAreFoundAndDeleted() {
        DoctorFixture journal = journal(Layout.COMMITS);
        LogWriter.recover(journal.log(), "large-1").write(TestEvents.events(1, 900_000));
        int items = journal.items().size();
        part(journal, "taken", 1);
        assertThat(journal.findings()).containsExactly("orphaned-parts large-1");
        assertThat(journal.findings("--entity-type", "other")).isEmpty();
        assertThat(journal.doctor("--repair", "--dry-run").err()).contains("delete these 2 items");
        assertThat(journal.items()).hasSize(items + 2);
        journal.repair();
        part(journal, "free", 2);
        assertThat(journal.findings()).containsExactly("unclaimed-parts large-1");
        journal.repair();
        assertThat(journal.items()).hasSize(items);
        assertThat(LogReading.all(journal.log(), "large-1")).hasSize(1);
    }

    /** DynamoDB removes the head first, and the parts by their own expiry, a day after that of the head. */
    @Test
    void partsThatExpireAfterTheirHeadAreNoFinding() {
        DoctorFixture journal = journal(Layout.COMMITS);
        LogWriter.recover(journal.log(), "large-1").writeSingles(2);
        long now = Instant.now().getEpochSecond();
        for (String id : List.of("expired", "alive")) {
            Map<String, AttributeValue> part = new HashMap<>(part(id, 1, 1));
            part.put("exp", n(now + (id.equals("expired") ? 86_000 : 87_000)));
            journal.put(part);
        }
        assertThat(journal.doctor().out()).contains("/alive").doesNotContain("/expired");
    }

    @Test
    void anIdWithoutALogIsNotCalledSound() {
        DoctorFixture journal = journal(Layout.COMMITS);
        LogWriter.recover(journal.log(), "there-1").writeSingles(1);
        CommandOutcome outcome = journal.doctor("tehre-1");
        assertThat(outcome.code()).isEqualTo(1);
        assertThat(outcome.err()).contains("tehre-1: There is no log of this persistence id");
        assertThat(outcome.out()).isEmpty();
        assertThat(journal.doctor("there-1").code()).isZero();
    }

    private static void part(DoctorFixture journal, String id, long at) {
        for (int i = 1; i <= 2; i++) {
            journal.put(part(id, i, at));
        }
    }

    private static Map<String, AttributeValue> part(String id, int number, long at) {
        return Map.of(
                "pid",
                s("#dynajournal/part/" + id),
                "seq",
                n(number),
                "of",
                s("large-1"),
                "at",
                n(at),
                "body",
                garbage());
    }

    @Test
    void interruptedDeletesAreFoundAndCompleted() {
        DoctorFixture journal = journal(Layout.COMMITS);
        LogWriter.recover(journal.log(), "half-1").writeSingles(4);
        Map<String, AttributeValue> tombstone = journal.event("half-1", 3);
        tombstone.keySet().removeAll(List.of("ix", "ev", "pv"));
        journal.put(tombstone);
        assertThat(journal.findings()).containsExactly("unfinished-delete half-1");
        journal.repair();
        assertThat(journal.event("half-1", 1)).doesNotContainKey("ev");
        assertThat(LogReading.numbers(LogReading.all(journal.log(), "half-1"))).containsExactly(4L);
    }

    @Test
    void tombstonesThatExpireAreFound() {
        DoctorFixture journal = journal(Layout.COMMITS);
        LogWriter.recover(journal.log(), "forgets-1").writeSingles(2);
        Await.result(journal.log().deleteTo("forgets-1", 2));
        Map<String, AttributeValue> tombstone = journal.event("forgets-1", 2);
        tombstone.put("exp", n(4_000_000_000L));
        journal.put(tombstone);
        assertThat(journal.findings()).containsExactly("expiring-tombstone forgets-1");
    }

    @Test
    void logsThatTheIndexesDoNotShowAreFound() {
        DoctorFixture journal = journal(Layout.COMMITS);
        LogWriter.recover(journal.log(), "hidden-1").writeSingles(2);
        Map<String, AttributeValue> first = journal.event("hidden-1", 1);
        first.remove("id");
        journal.put(first);
        assertThat(journal.findings()).containsExactly("unlisted-id hidden-1");
        journal.repair();
        assertThat(journal.event("hidden-1", 1)).containsKey("id");

        journal.delete(journal.item(Map.of("pid", s("#dynajournal/registry"))));
        assertThat(journal.findings()).containsExactlyInAnyOrder("not-indexed hidden-1", "not-indexed sound-1");

        DoctorFixture akka2 = journal(Layout.AKKA2);
        LogWriter.recover(akka2.log(), "hidden-1").writeSingles(2);
        Map<String, AttributeValue> event = akka2.event("hidden-1", 2);
        event.put("entity_type_slice", s("-5000"));
        akka2.put(event);
        assertThat(akka2.findings()).containsExactly("not-indexed hidden-1");
    }

    @Test
    void writesThatAreNotCompleteAreFound() {
        DoctorFixture akka1 = journal(Layout.AKKA1);
        LogWriter.recover(akka1.log(), "half-1").write(1).write(3).write(1);
        akka1.delete(akka1.event("half-1", 3));
        assertThat(akka1.findings()).contains("incomplete-write half-1");

        DoctorFixture akka2 = journal(Layout.AKKA2);
        LogWriter.recover(akka2.log(), "half-1").writeSingles(2);
        Map<String, AttributeValue> open = akka2.event("half-1", 2);
        open.putAll(Map.of(
                "seq_nr",
                n(3),
                "dj_first",
                n(3),
                "dj_last",
                n(200),
                "dj_write",
                s("w"),
                "dj_open",
                AttributeValue.fromBool(true)));
        akka2.put(open);
        assertThat(akka2.findings()).contains("incomplete-write half-1");
    }

    @ParameterizedTest
    @EnumSource(names = {"AKKA1", "SCLASEN"})
    void highMarksThatWereLostAreFoundAndRaised(Layout layout) {
        DoctorFixture journal = journal(layout);
        LogWriter.recover(journal.log(), "marked-1").writeSingles(103);
        String key = layout == Layout.AKKA1 ? "par" : "key";
        journal.delete(item -> item.getOrDefault(key, s("")).s().startsWith("journal-SH-marked-1"));
        assertThat(journal.findings()).containsExactly("low-high-mark marked-1");
        journal.repair();
        assertThat(LogReading.highest(journal.log(), "marked-1")).isEqualTo(103);

        Map<String, AttributeValue> ahead = new HashMap<>(Map.of(key, s("journal-SH-marked-1-7")));
        ahead.putAll(layout == Layout.AKKA1 ? Map.of("num", n(0), "seq", n(700)) : Map.of("sequenceNr", n(700)));
        journal.put(ahead);
        assertThat(journal.findings()).contains("high-mark-ahead marked-1");
    }

    @Test
    void keysOfOtherResolversAndOfOtherIdsAreFound() {
        DoctorFixture journal = journal(Layout.J5IK2O);
        LogWriter.recover(journal.log(), "mixed-1").writeSingles(2);
        Map<String, AttributeValue> row = journal.event("mixed-1", 2);
        journal.delete(row);
        row.put("pkey", s("other-7"));
        journal.put(row);
        assertThat(journal.findings()).containsExactly("other-key mixed-1");

        DoctorFixture colliding = journal(Layout.J5IK2O);
        LogWriter.recover(colliding.log(), "mine-1").writeSingles(3);
        Map<String, AttributeValue> taken = colliding.event("mine-1", 2);
        taken.put("persistence-id", s("other-1"));
        colliding.put(taken);
        assertThat(colliding.findings()).contains("key-collision mine-1");
    }

    @Test
    void snapshotsAndOffsetsAheadOfTheLogAreFound() {
        DoctorFixture journal = journal(Layout.COMMITS);
        CommitsSnapshots snapshots = CommitsSnapshots.of(local.freshTable());
        local.create(snapshots.table());
        var saved = snapshots.open(local.open(RequestListener.NONE));
        Payload payload = new Payload(1, "", new byte[] {1});
        Await.result(saved.save(new StoredSnapshot("sound-1", 4, 1_700_000_000_000L, payload, null)));
        String[] both = {"--stores", "journal,snapshots", "--snapshot-table", snapshots.tableName()};
        assertThat(journal.findings(both)).isEmpty();
        Await.result(saved.save(new StoredSnapshot("sound-1", 9, 1_700_000_000_000L, payload, null)));
        assertThat(journal.findings(both)).containsExactly("snapshot-ahead sound-1");

        String offsets = local.freshTable();
        local.create(ProjectionOffsets.table(offsets));
        OffsetTable rows = new OffsetTable(local.open(RequestListener.NONE), offsets, "popularity", null);
        Await.result(rows.putSeqNrs(Map.of("sound-1", new SeqNrRow(4, 1, 0))));
        assertThat(journal.findings("--offsets", offsets)).isEmpty();
        Await.result(rows.putSeqNrs(Map.of("sound-1", new SeqNrRow(5, 1, 0))));
        assertThat(journal.findings("--offsets", offsets)).containsExactly("offset-ahead sound-1");
    }

    @Test
    void tablesThatDoNotRemoveWhatExpiresAreFound() {
        DoctorFixture journal = journal(Layout.AKKA1);
        assertThat(journal.doctor("--repair").code()).isEqualTo(2);
        assertThat(journal.doctor("--parallel", "0").code()).isEqualTo(2);
        assertThat(journal.doctor("--table", "missing").code()).isEqualTo(2);

        DoctorFixture akka2 = journal(Layout.AKKA2);
        String life = "time-to-live.event-sourced-defaults.event-time-to-live=7 days";
        assertThat(akka2.findings("--set", life)).isEmpty();
        Await.result(local.client()
                .updateTimeToLive(update -> update.tableName(akka2.table())
                        .timeToLiveSpecification(off -> off.enabled(false).attributeName("expiry"))));
        assertThat(akka2.findings("--set", life)).containsExactly("expiry-off ");
    }
}
