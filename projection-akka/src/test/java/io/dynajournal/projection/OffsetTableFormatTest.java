package io.dynajournal.projection;

import static io.dynajournal.projection.ModelJournal.START;
import static org.assertj.core.api.Assertions.assertThat;

import akka.Done;
import akka.actor.typed.ActorSystem;
import akka.persistence.query.TimestampOffset;
import akka.persistence.query.typed.EventEnvelope;
import akka.projection.RunningProjection;
import akka.projection.javadsl.Handler;
import io.dynajournal.Tables;
import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.model.Slices;
import io.dynajournal.projection.javadsl.DynajournalProjection;
import io.dynajournal.testkit.Await;
import io.dynajournal.testkit.ErrorAnswer;
import io.dynajournal.testkit.FaultProxy;
import io.dynajournal.testkit.RequestMatch;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The rows of akka-projection-dynamodb are understood, continued and left readable. */
final class OffsetTableFormatTest {

    @RegisterExtension
    final Fixture fixture = new Fixture();

    private final ModelJournal journal = new ModelJournal();

    private static AttributeValue n(long number) {
        return AttributeValue.fromN(Long.toString(number));
    }

    private static AttributeValue s(String text) {
        return AttributeValue.fromS(text);
    }

    /** As akka-projection-dynamodb writes the row of an entity. */
    private void foreignEntity(String pid, long seqNr, long micros) {
        fixture.putOffset(Map.of(
                "name_slice", s(Runs.NAME + "-" + Slices.of(pid)), "pid", s(pid), "seq_nr", n(seqNr), "ts", n(micros)));
    }

    /** As akka-projection-dynamodb writes the row of a slice. */
    private void foreignSlice(int slice, long micros, Map<String, AttributeValue> seen) {
        fixture.putOffset(Map.of(
                "name_slice",
                s(Runs.NAME + "-" + slice),
                "pid",
                s("_"),
                "ts",
                n(micros),
                "seen",
                AttributeValue.fromM(seen)));
    }

    @Test
    void continuesTheOffsetsOfTheOtherPlugin() {
        ActorSystem<Void> system = fixture.start();
        fixture.createOffsets(system);
        foreignEntity("A|1", 3, START + 30);
        foreignSlice(Slices.of("A|1"), START + 30, Map.of("A|1", n(3)));
        journal.deliver("A|1", 2, START + 20).deliver("A|1", 3, START + 30).deliver("A|1", 4, START + 40);

        assertThat(Runs.received(journal.source(), system)).containsExactly("A|1/4");
        // The other slices have no row: they were never projected, as far as the table shows.
        assertThat(journal.startedFrom.get(0)).isEmpty();
    }

    @Test
    void resumesFromTheOldestSliceOfTheOtherPlugin() {
        ActorSystem<Void> system = fixture.start();
        fixture.createOffsets(system);
        IntStream.rangeClosed(0, 63).forEach(slice -> foreignSlice(slice, START + 1000 + slice, Map.of()));
        journal.deliver("A|1", 1, START);

        Runs.received(journal.source(0, 63), system);

        assertThat(journal.startedFrom.get(0))
                .hasValueSatisfying(offset -> assertThat(((TimestampOffset) offset).timestamp())
                        .isEqualTo(Instant.EPOCH.plus(START + 1000, ChronoUnit.MICROS)));
    }

    @Test
    void leavesRowsThatTheOtherPluginUnderstands() {
        ActorSystem<Void> system = fixture.start();
        journal.deliver("A|1", 1, START).deliver("A|1", 2, START + 7).deliver("A|2", 1, START + 9);
        Runs.received(journal.source(), system);

        assertThat(fixture.offset(Runs.NAME, Slices.of("A|1"), "A|1"))
                .isEqualTo(Map.of(
                        "name_slice",
                        s("view-" + Slices.of("A|1")),
                        "pid",
                        s("A|1"),
                        "seq_nr",
                        n(2),
                        "ts",
                        n(START + 7)));
        assertThat(fixture.offset(Runs.NAME, Slices.of("A|1"), "_"))
                .isEqualTo(Map.of(
                        "name_slice",
                        s("view-" + Slices.of("A|1")),
                        "pid",
                        s("_"),
                        "ts",
                        n(START + 7),
                        "seen",
                        AttributeValue.fromM(Map.of("A|1", n(2)))));
        // The first row of the range has our own attributes, and those that the other plugin reads.
        assertThat(fixture.offset(Runs.NAME, 0, "_"))
                .containsEntry("ts", n(0))
                .containsEntry("seen", AttributeValue.fromM(Map.of()))
                .containsEntry("to", AttributeValue.fromM(Map.of("1023", n(START + 9))));
    }

    @Test
    void seesThatTheOtherPluginHasPausedTheProjection() {
        ActorSystem<Void> system = fixture.start();
        fixture.createOffsets(system);
        fixture.putOffset(
                Map.of("name_slice", s(Runs.NAME + "-0"), "pid", s("_mgmt"), "paused", AttributeValue.fromBool(true)));
        journal.deliver("A|1", 1, START);
        Runs.Observer<EventEnvelope<String>> observer = new Runs.Observer<>();
        RunningProjection running = Runs.atLeastOnce(journal.source(), system, label -> {})
                .withStatusObserver(observer)
                .run(system);

        Await.result(Runs.stop(running));
        assertThat(observer.processed).isEmpty();
    }

    @Test
    void rowsOfEntitiesExpireIfConfigured() {
        ActorSystem<Void> system =
                fixture.start("dynajournal.projection.projections.\"vi*\".offset-time-to-live = 2 days");
        journal.deliver("A|1", 1, START);
        long before = System.currentTimeMillis() / 1000;
        Runs.received(journal.source(), system);

        Map<String, AttributeValue> row = fixture.offset(Runs.NAME, Slices.of("A|1"), "A|1");
        assertThat(Fixture.number(row, "expiry")).isBetween(before + 2 * 86_400 - 60, before + 2 * 86_400 + 60);
        assertThat(fixture.offset(Runs.NAME, Slices.of("A|1"), "_")).doesNotContainKey("expiry");
    }

    @Test
    void anExpiredRowMakesNoEventLookMissing() {
        ActorSystem<Void> system = fixture.start("dynajournal.projection.offset-time-to-live = 1 day");
        // The events before were projected, and their row has expired.
        journal.write("A|1", 1, START).write("A|1", 2, START + 1).deliver("A|1", 3, System.currentTimeMillis() * 1000);

        assertThat(Runs.received(journal.source(), system)).containsExactly("A|1/3");
    }

    @Test
    void anExpiredRowDoesNotMakeTheNewestEventLookNew() {
        ActorSystem<Void> system = fixture.start("dynajournal.projection.offset-time-to-live = 1 day");
        fixture.createOffsets(system);
        foreignSlice(Slices.of("A|1"), START, Map.of("A|1", n(2)));
        journal.write("A|1", 1, START - 5).deliver("A|1", 2, START);

        assertThat(Runs.received(journal.source(), system)).isEmpty();
    }

    @Test
    void slicesAreStoredAfterTheEntitiesTheyStandFor() {
        FaultProxy proxy = fixture.proxy();
        ActorSystem<Void> system =
                fixture.start(Fixture.through(proxy) + "dynajournal.projection.flush-interval = 1 ms");
        for (int i = 1; i <= 10; i++) {
            journal.deliver("A|" + i, 1, START + i);
        }
        Runs.received(journal.source(), system);

        for (int i = 1; i <= 10; i++) {
            String id = "A|" + i;
            if (Slices.of(id) == 0) {
                continue; // its row is written at the start, too
            }
            int entity = firstWrite(proxy, "\"pid\":{\"S\":\"" + id + "\"}");
            int slice =
                    firstWrite(proxy, "\"name_slice\":{\"S\":\"view-" + Slices.of(id) + "\"},\"pid\":{\"S\":\"_\"}");
            assertThat(slice).as("row of the slice of %s", id).isGreaterThan(entity);
        }
    }

    /** The number of the first request that writes a row. */
    private static int firstWrite(FaultProxy proxy, String row) {
        return proxy.requests(RequestMatch.writes().containing(row)).stream()
                .findFirst()
                .orElseThrow(() -> new AssertionError("not written: " + row))
                .number();
    }

    @Test
    void aCrashBeforeTheSlicesAreStoredLosesNoEvent() {
        FaultProxy proxy = fixture.proxy();
        ActorSystem<Void> system = fixture.start(proxy);
        for (int i = 1; i <= 30; i++) {
            journal.deliver("A|" + i, 1, START + i);
        }
        // The rows of the entities are refused for good: nothing of the window is stored.
        proxy.when(RequestMatch.operation("BatchWriteItem"))
                .always()
                .answer(ErrorAnswer.of(400, "ValidationException", "no"));
        assertThat(Runs.toEnd(Runs.atLeastOnce(journal.source(), system, label -> {}), system))
                .isNotNull();
        proxy.clear();

        assertThat(Runs.received(journal.source(), system)).hasSize(30);
        assertThat(journal.startedFrom.get(1)).isEmpty();
    }

    @Test
    void unprocessedItemsAreSentAgain() {
        FaultProxy proxy = fixture.proxy();
        ActorSystem<Void> system = fixture.start(proxy);
        for (int i = 1; i <= 25; i++) {
            journal.deliver("A|" + i, 1, START + i);
        }
        proxy.when(RequestMatch.operation("BatchWriteItem")).times(2).process(7);
        Runs.received(journal.source(), system);

        proxy.assertScriptUsed();
        for (int i = 1; i <= 25; i++) {
            assertThat(fixture.offset(Runs.NAME, Slices.of("A|" + i), "A|" + i))
                    .as("row of A|%d", i)
                    .containsEntry("seq_nr", n(1));
        }
    }

    @Test
    void aSecondInstanceTakesOverAndTheFirstStops() {
        ActorSystem<Void> system = fixture.start("dynajournal.projection.flush-interval = 1 ms");
        // The first one learns of it with its next flush, and fails with the save after that.
        for (int i = 1; i <= 100; i++) {
            journal.deliver("A|" + i, 1, START + i);
        }
        CompletableFuture<Void> otherIsDone = new CompletableFuture<>();
        CompletableFuture<Void> started = new CompletableFuture<>();
        Handler<EventEnvelope<String>> slow = new Handler<>() {
            @Override
            public CompletionStage<Done> process(EventEnvelope<String> envelope) {
                started.complete(null);
                return otherIsDone.thenApply(done -> Done.getInstance());
            }
        };
        CompletableFuture<Throwable> first = CompletableFuture.supplyAsync(() -> {
            Throwable failure = Runs.toEnd(
                    DynajournalProjection.atLeastOnce(Runs.ID, journal.source(), () -> slow, system)
                            .withSaveOffset(1, Duration.ofSeconds(1)),
                    system);
            return failure == null ? new AssertionError("it was not stopped") : failure;
        });
        Await.result(started);
        Runs.received(journal.source(), system);
        otherIsDone.complete(null);

        assertThat(Await.result(first))
                .isInstanceOf(StoreException.OffsetConflict.class)
                .hasMessageContaining("view")
                .hasMessageContaining("slices 0 to 1023")
                .hasMessageContaining("owns the offsets");
    }

    @Test
    void theTableIsDescribedCreatedAndChecked() {
        ActorSystem<Void> system = fixture.start();
        assertThat(Tables.describe(system, "dynajournal.projection").name()).isEqualTo(fixture.offsets);
        assertThat(Tables.describe(system, "dynajournal.projection").awsCommands())
                .contains("AttributeName=name_slice,KeyType=HASH", "AttributeName=expiry");
        Await.result(Tables.create(system, "dynajournal.projection"));
        Await.result(Tables.verify(system, "dynajournal.projection"));
    }
}
