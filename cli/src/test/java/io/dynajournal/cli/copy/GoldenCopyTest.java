package io.dynajournal.cli.copy;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.internal.catalog.Layout;
import io.dynajournal.internal.model.SeqRange;
import io.dynajournal.internal.model.StoredEvent;
import io.dynajournal.internal.store.EventJournal;
import io.dynajournal.internal.store.JournalCaches;
import io.dynajournal.testkit.Await;
import io.dynajournal.testkit.GoldenSet;
import io.dynajournal.testkit.LocalDynamo;
import io.dynajournal.testkit.LogReading;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.protocols.jsoncore.JsonNode;

/** What the real predecessors wrote is moved into the native layout, recovered from it, and moved back. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GoldenCopyTest {

    @RegisterExtension
    final LocalDynamo local = new LocalDynamo();

    private final TestStores stores = new TestStores(local);

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "akka-2.0.12, akka2, event_journal, snapshot",
        "akka-1.3.0, akka1, akka-persistence, akka-persistence-snapshot",
        "akka-1.3.0-java-serialization, akka1, akka-persistence, akka-persistence-snapshot",
        "pekko-1.1.0, akka1, pekko-persistence, pekko-persistence-snapshot",
        "j5ik2o-1.16.492, j5ik2o, Journal, Snapshot"
    })
    void goldenSetIsCopiedRecoveredAndCopiedBack(String set, String layout, String journal, String snapshots) {
        GoldenSet golden = new GoldenSet(set);
        TestStores.Tables old = stores.create(Layout.named(layout));
        golden.load(local, journal, old.journal().table().name());
        golden.load(local, snapshots, old.snapshots().table().name());
        TestStores.Tables moved = stores.create(Layout.COMMITS);

        copy(old, moved);
        assertThat(differences(old, moved)).isEmpty();
        golden.facts().forEach((id, facts) -> checkRecovery(moved, id, facts));

        // A second copy stores nothing: everything is there, and equal.
        assertThat(copy(old, moved).events()).isZero();

        TestStores.Tables back = stores.create(Layout.named(layout));
        copy(moved, back);
        assertThat(differences(moved, back)).isEmpty();
        assertThat(differences(old, back)).isEmpty();
    }

    private CopyReport copy(TestStores.Tables from, TestStores.Tables to) {
        Copy copy = new Copy(
                from.open(stores.dynamo()),
                to.open(stores.dynamo()),
                new TestStores.Positions(),
                4,
                () -> false,
                () -> Long.MAX_VALUE);
        copy.pass();
        assertThat(copy.report().failures()).isEmpty();
        return copy.report();
    }

    private List<String> differences(TestStores.Tables one, TestStores.Tables other) {
        List<String> found = new ArrayList<>();
        StoreComparison comparison = new StoreComparison(
                one.open(stores.dynamo()),
                other.open(stores.dynamo()),
                1,
                () -> false,
                difference -> found.add(difference.toString()));
        comparison.run();
        assertThat(comparison.compared()).isPositive();
        return found;
    }

    private void checkRecovery(TestStores.Tables tables, String id, JsonNode facts) {
        EventJournal journal = new EventJournal(tables.journal().open(stores.dynamo()), JournalCaches.DEFAULTS);
        long highest = Await.result(journal.highestSeqNr(id, 1, this));
        assertThat(highest).as("end of %s", id).isEqualTo(number(facts, "highestSeqNr"));
        List<StoredEvent> events = LogReading.replay(journal, id, SeqRange.wholeWrites(1, highest, Long.MAX_VALUE));
        assertThat(events)
                .as("events of %s", id)
                .extracting(StoredEvent::seqNr)
                .isEqualTo(GoldenSet.field(facts, "events").asArray().stream()
                        .map(event -> number(event, "seqNr"))
                        .toList());
        if (events.stream().allMatch(event -> event.event().payload().serializerId() == 20)) {
            assertThat(events)
                    .extracting(event -> new String(event.event().payload().bytes(), StandardCharsets.UTF_8))
                    .isEqualTo(GoldenSet.field(facts, "events").asArray().stream()
                            .map(event -> GoldenSet.field(event, "event").asString())
                            .toList());
        }
        Map<Long, String> snapshots = new java.util.TreeMap<>();
        SnapshotCopy.of(Store.Snapshots.open(tables.snapshots(), stores.dynamo()), id)
                .forEachRemaining(snapshot -> snapshots.put(snapshot.seqNr(), ""));
        assertThat(snapshots.keySet())
                .as("snapshots of %s", id)
                .containsExactlyElementsOf(GoldenSet.field(facts, "snapshots").asArray().stream()
                        .map(snapshot -> number(snapshot, "seqNr"))
                        .toList());
    }

    private static long number(JsonNode node, String name) {
        return Long.parseLong(GoldenSet.field(node, name).asNumber());
    }
}
