package io.dynajournal.projection;

import static io.dynajournal.projection.ModelJournal.START;
import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.typed.ActorSystem;
import akka.persistence.query.Offset;
import akka.persistence.query.TimestampOffset;
import akka.persistence.query.typed.EventEnvelope;
import akka.projection.Projection;
import akka.projection.ProjectionId;
import akka.projection.RunningProjection;
import akka.projection.RunningProjectionManagement;
import io.dynajournal.exception.SettingsException;
import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.model.Slices;
import io.dynajournal.projection.javadsl.DynajournalProjection;
import io.dynajournal.testkit.Await;
import io.dynajournal.testkit.ErrorAnswer;
import io.dynajournal.testkit.FaultProxy;
import io.dynajournal.testkit.RequestMatch;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import scala.Option;
import scala.jdk.javaapi.FutureConverters;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The layout packed: a row per batch. */
final class PackedLayoutTest {

    private static final String PACKED = "dynajournal.projection.layout = packed\n";
    private static final long MINUTE = 60_000_000;

    @RegisterExtension
    final Fixture fixture = new Fixture();

    private final ModelJournal journal = new ModelJournal();

    /** The numbers of the batches of a range that are stored; 0 is the row of the log's owner. */
    private List<Long> batches(int first, int last) {
        return rows("view-" + first, "_log-" + last + "-")
                .map(row -> Long.parseLong(row.getOrDefault("pid", AttributeValue.fromS(""))
                        .s()
                        .substring(("_log-" + last + "-").length())))
                .filter(number -> number > 0)
                .sorted()
                .toList();
    }

    private Stream<Map<String, AttributeValue>> rows(String hash, String prefix) {
        AttributeValue none = AttributeValue.fromS("");
        return fixture.scan(fixture.offsets).stream()
                .filter(row -> row.getOrDefault("name_slice", none).s().equals(hash)
                        && row.getOrDefault("pid", none).s().startsWith(prefix));
    }

    private Projection<EventEnvelope<String>> counting(
            ActorSystem<?> system, int first, int last, CompletionStage<?> before, CompletableFuture<?> started) {
        return DynajournalProjection.exactlyOnce(
                ProjectionId.of(Runs.NAME, first + "-" + last),
                journal.source(first, last),
                () -> envelope -> {
                    started.complete(null);
                    return before.thenApply(
                            done -> List.of(fixture.count(envelope.persistenceId(), envelope.sequenceNr())));
                },
                system);
    }

    private Projection<EventEnvelope<String>> counting(ActorSystem<?> system, int first, int last) {
        return counting(system, first, last, CompletableFuture.completedFuture(null), new CompletableFuture<>());
    }

    /** Runs without the orderly stop that stores how far the range was projected. */
    private List<String> crashed(FaultProxy proxy, ActorSystem<?> system) {
        proxy.when(RequestMatch.operation("TransactWriteItems").containing("\"tolog\""))
                .after(1)
                .always()
                .answer(ErrorAnswer.of(400, "ValidationException", "no"));
        try {
            return Runs.received(journal.source(), system);
        } finally {
            proxy.clear();
        }
    }

    @Test
    void aBatchIsOneRowAndARestartKnowsItsEntities() {
        ActorSystem<Void> system = fixture.start(PACKED);
        IntStream.rangeClosed(1, 60).forEach(i -> journal.deliver("A|" + i, 1, START + i));
        assertThat(Runs.received(journal.source(), system)).hasSize(60);

        assertThat(batches(0, 1023)).hasSizeLessThanOrEqualTo(3);
        assertThat(fixture.scan(fixture.offsets)).hasSize(2 + batches(0, 1023).size());
        journal.deliver("A|1", 2, START + 100);
        assertThat(Runs.received(journal.source(), system)).containsExactly("A|1/2");
    }

    @Test
    void aCrashRepeatsNothingThatWasStored() {
        FaultProxy proxy = fixture.proxy();
        ActorSystem<Void> system =
                fixture.start(Fixture.through(proxy) + PACKED + "dynajournal.projection.flush-interval = 1 ms");
        IntStream.rangeClosed(1, 30).forEach(i -> journal.deliver("A|" + i, 1, START + i));

        assertThat(crashed(proxy, system)).hasSize(30);
        assertThat(Runs.received(journal.source(), system)).isEmpty();
    }

    @Test
    void aSecondInstanceCommitsNoEventAgain() {
        fixture.createReadModel();
        ActorSystem<Void> system = fixture.start(PACKED);
        IntStream.rangeClosed(1, 5).forEach(i -> journal.deliver("A|" + i, 1, START + i));
        CompletableFuture<Void> firstIsDone = new CompletableFuture<>();
        CompletableFuture<Void> secondHasStarted = new CompletableFuture<>();
        CompletableFuture<Throwable> second = CompletableFuture.supplyAsync(
                () -> failure(counting(system, 0, 1023, firstIsDone, secondHasStarted), system));
        Await.result(secondHasStarted);

        assertThat(Runs.toEnd(counting(system, 0, 1023), system)).isNull();
        firstIsDone.complete(null);

        assertThat(Await.result(second))
                .isInstanceOf(StoreException.OffsetConflict.class)
                .hasMessageContaining("batch 1")
                .hasMessageContaining("slices 0 to 1023");
        assertThat(fixture.counts().values()).hasSize(5).containsOnly(1L);
    }

    private static Throwable failure(Projection<?> projection, ActorSystem<?> system) {
        Throwable failure = Runs.toEnd(projection, system);
        return failure == null ? new AssertionError("it did not fail") : failure;
    }

    @Test
    void anInstanceOfAnotherRangeIsShutOut() {
        fixture.createReadModel();
        ActorSystem<Void> system = fixture.start(PACKED);
        IntStream.rangeClosed(1, 20).forEach(i -> journal.deliver("A|" + i, 1, START + i));
        CompletableFuture<Void> halvesAreDone = new CompletableFuture<>();
        CompletableFuture<Void> wholeHasStarted = new CompletableFuture<>();
        CompletableFuture<Throwable> whole = CompletableFuture.supplyAsync(
                () -> failure(counting(system, 0, 1023, halvesAreDone, wholeHasStarted), system));
        Await.result(wholeHasStarted);

        assertThat(Runs.toEnd(counting(system, 0, 511), system)).isNull();
        assertThat(Runs.toEnd(counting(system, 512, 1023), system)).isNull();
        halvesAreDone.complete(null);

        assertThat(Await.result(whole)).isInstanceOf(StoreException.OffsetConflict.class);
        assertThat(fixture.counts().values()).hasSize(20).containsOnly(1L);
    }

    @Test
    void keepsItsPlaceWhenARangeIsSplitAndJoined() {
        ActorSystem<Void> system = fixture.start(PACKED);
        IntStream.rangeClosed(1, 40).forEach(i -> journal.deliver("A|" + i, 1, START + i));
        assertThat(Runs.received(journal.source(), system)).hasSize(40);
        IntStream.rangeClosed(1, 40).forEach(i -> journal.deliver("A|" + i, 2, START + 100 + i));
        for (int first = 0; first < 1024; first += 256) {
            int min = first;
            assertThat(Runs.received(journal.source(min, min + 255), system))
                    .containsExactlyElementsOf(IntStream.rangeClosed(1, 40)
                            .filter(i -> Slices.of("A|" + i) / 256 == min / 256)
                            .mapToObj(i -> "A|" + i + "/2")
                            .toList());
        }
        journal.deliver("A|1", 3, START + 200);

        assertThat(Runs.received(journal.source(), system)).containsExactly("A|1/3");
    }

    /** The log of the whole range still has the first event, that of the half has forgotten the second one. */
    @Test
    void whatAnotherRangeHasForgottenIsNotProjectedAgain() {
        ActorSystem<Void> system = fixture.start(PACKED);
        int last = Slices.of("A|1") < 512 ? 511 : 1023;
        String inTheSameHalf = IntStream.iterate(2, i -> i + 1)
                .mapToObj(i -> "A|" + i)
                .filter(id -> Slices.of(id) / 512 == Slices.of("A|1") / 512)
                .findFirst()
                .orElseThrow();
        journal.deliver("A|1", 1, START);
        assertThat(Runs.received(journal.source(), system)).containsExactly("A|1/1");
        journal.deliver("A|1", 2, START + MINUTE);
        assertThat(Runs.received(journal.source(last - 511, last), system)).containsExactly("A|1/2");
        journal.deliver(inTheSameHalf, 1, START + 10 * MINUTE);
        assertThat(Runs.received(journal.source(last - 511, last), system)).containsExactly(inTheSameHalf + "/1");

        assertThat(Runs.received(journal.source(), system)).isEmpty();
    }

    @Test
    void whatIsOlderThanTheWindowIsForgotten() {
        ActorSystem<Void> system = fixture.start(PACKED);
        journal.deliver("A|1", 1, START).deliver("A|2", 1, START + 1);
        Runs.received(journal.source(), system);
        journal.deliver("A|3", 1, START + 6 * MINUTE);
        Runs.received(journal.source(), system);

        // Only the newest batch is left. The events before the window are known to be old, although their entities are
        // not.
        assertThat(batches(0, 1023)).containsExactly(2L);
        journal.deliver("A|2", 2, START + 7 * MINUTE);
        assertThat(Runs.received(journal.source(), system)).containsExactly("A|2/2");
        // The limit of the layout: an event that appears later than the window is not projected.
        journal.deliver("A|4", 1, START + 2).write("A|5", 1, START + 3).deliver("A|5", 2, START + 8 * MINUTE);
        assertThat(Runs.received(journal.source(), system)).containsExactly("A|5/2");
    }

    @Test
    void aMissingEventInsideTheWindowIsReadFromTheJournal() {
        ActorSystem<Void> system = fixture.start(PACKED);
        journal.deliver("A|1", 1, START)
                .write("A|1", 2, START + 1)
                .deliver("A|1", 3, START + 2)
                .write("A|2", 1, START + 3)
                .deliver("A|2", 2, START + 4);

        assertThat(Runs.received(journal.source(), system))
                .containsExactly("A|1/1", "A|1/2", "A|1/3", "A|2/1", "A|2/2");
    }

    @Test
    void lostRepliesAreRecognised() {
        fixture.createReadModel();
        FaultProxy proxy = fixture.proxy();
        ActorSystem<Void> system = fixture.start(Fixture.through(proxy) + PACKED);
        IntStream.rangeClosed(1, 5).forEach(i -> journal.deliver("A|" + i, 1, START + i));
        proxy.when(RequestMatch.operation("PutItem").containing("batch")).loseReply();
        proxy.when(RequestMatch.operation("TransactWriteItems").containing("tolog"))
                .loseReply();
        assertThat(Runs.received(journal.source(), system)).hasSize(5);
        proxy.assertScriptUsed();

        IntStream.rangeClosed(1, 5).forEach(i -> journal.deliver("A|" + i, 2, START + 100 + i));
        proxy.when(RequestMatch.operation("TransactWriteItems").containing(fixture.readModel))
                .loseReply();
        assertThat(Runs.toEnd(counting(system, 0, 1023), system)).isNull();
        proxy.assertScriptUsed();
        assertThat(fixture.counts().values()).hasSize(5).containsOnly(1L);
    }

    @Test
    void offsetsAreGotSetAndCleared() {
        ActorSystem<Void> system = fixture.start(PACKED);
        // Setting an offset writes a row per slice.
        int slice = Slices.of("A|1");
        journal.deliver("A|1", 1, START).deliver("A|1", 2, START + 10).deliver("A|1", 3, START + 20);
        Runs.Observer<EventEnvelope<String>> observer = new Runs.Observer<>();
        RunningProjection running = Runs.atLeastOnce(journal.source(slice, slice), system, label -> {})
                .withStatusObserver(observer)
                .run(system);
        Await.result(observer.stopped);
        Await.result(Runs.stop(running));
        @SuppressWarnings("unchecked")
        RunningProjectionManagement<Offset> management = (RunningProjectionManagement<Offset>) running;

        Offset newest =
                Await.result(FutureConverters.asJava(management.getOffset())).get();
        assertThat(((TimestampOffset) newest).getSeen()).isEqualTo(Map.of("A|1", 3L));
        Await.result(FutureConverters.asJava(management.setOffset(Option.empty())));
        assertThat(Runs.received(journal.source(slice, slice), system)).containsExactly("A|1/1", "A|1/2", "A|1/3");
        assertThat(Runs.received(journal.source(slice, slice), system)).isEmpty();
        Await.result(FutureConverters.asJava(management.setOffset(Option.apply(newest))));
        assertThat(Runs.received(journal.source(slice, slice), system)).isEmpty();
    }

    @Test
    void theLayoutOfAProjectionCannotBeChanged() {
        ActorSystem<Void> system = fixture.start(
                "packed = ${dynajournal.projection}\npacked { layout = packed, table = \"" + fixture.offsets + "\" }");
        journal.deliver("A|1", 1, START);
        Runs.received(journal.source(), system);
        Projection<EventEnvelope<String>> other = DynajournalProjection.atLeastOnce(
                Runs.ID, "packed", journal.source(), () -> Runs.handler(label -> {}), system);

        assertThat(failure(other, system))
                .isInstanceOf(SettingsException.class)
                .hasMessageContaining("view")
                .hasMessageContaining("layout timestamp-offset");
    }

    @ParameterizedTest
    @CsvSource({"0, 340", "1, 512", "256, 767"})
    void aRangeThatIsNoEqualPartIsRejected(int min, int max) {
        ActorSystem<Void> system = fixture.start(PACKED);
        fixture.createOffsets(system);
        Projection<EventEnvelope<String>> unequal = DynajournalProjection.atLeastOnce(
                Runs.ID, journal.source(min, max), () -> Runs.handler(label -> {}), system);

        assertThat(failure(unequal, system))
                .isInstanceOf(SettingsException.class)
                .hasMessageContaining("view")
                .hasMessageContaining("slices " + min + " to " + max)
                .hasMessageContaining("power of two");
        assertThat(fixture.scan(fixture.offsets)).isEmpty();
    }

    @Test
    void aBatchWithMoreThanARowHoldsIsSplit() {
        ActorSystem<Void> system = fixture.start(PACKED);
        String longId = "x".repeat(2000);
        IntStream.rangeClosed(1, 200).forEach(i -> journal.deliver("A|" + longId + i, 1, START + i));
        assertThat(Runs.toEnd(
                        DynajournalProjection.atLeastOnce(
                                        Runs.ID, journal.source(), () -> Runs.handler(label -> {}), system)
                                .withSaveOffset(200, Duration.ofSeconds(10)),
                        system))
                .isNull();

        assertThat(batches(0, 1023)).containsExactly(1L, 2L);
        assertThat(Runs.received(journal.source(), system)).isEmpty();
    }
}
