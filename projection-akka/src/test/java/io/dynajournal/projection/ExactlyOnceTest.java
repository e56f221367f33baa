package io.dynajournal.projection;

import static io.dynajournal.projection.ModelJournal.START;
import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.typed.ActorSystem;
import akka.persistence.query.typed.EventEnvelope;
import akka.projection.HandlerRecoveryStrategy;
import akka.projection.Projection;
import akka.projection.javadsl.ExactlyOnceProjection;
import akka.projection.javadsl.GroupedProjection;
import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.model.Slices;
import io.dynajournal.projection.javadsl.DynajournalProjection;
import io.dynajournal.projection.javadsl.DynajournalTransactHandler;
import io.dynajournal.testkit.Await;
import io.dynajournal.testkit.ErrorAnswer;
import io.dynajournal.testkit.FaultProxy;
import io.dynajournal.testkit.RequestMatch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;

/** The handler's items and the offset are one transaction, and each event takes effect once. */
final class ExactlyOnceTest {

    @RegisterExtension
    final Fixture fixture = new Fixture();

    private final ModelJournal journal = new ModelJournal();

    @BeforeEach
    void createReadModel() {
        fixture.createReadModel();
    }

    private CompletionStage<Collection<TransactWriteItem>> counted(List<EventEnvelope<String>> envelopes) {
        return CompletableFuture.completedFuture(envelopes.stream()
                .map(envelope -> fixture.count(envelope.persistenceId(), envelope.sequenceNr()))
                .toList());
    }

    private ExactlyOnceProjection<akka.persistence.query.Offset, EventEnvelope<String>> counting(
            ActorSystem<?> system) {
        return counting(system, envelope -> counted(List.of(envelope)));
    }

    private ExactlyOnceProjection<akka.persistence.query.Offset, EventEnvelope<String>> counting(
            ActorSystem<?> system, DynajournalTransactHandler<EventEnvelope<String>> handler) {
        return DynajournalProjection.exactlyOnce(Runs.ID, journal.source(), () -> handler, system);
    }

    private GroupedProjection<akka.persistence.query.Offset, EventEnvelope<String>> grouped(ActorSystem<?> system) {
        return DynajournalProjection.exactlyOnceGroupedWithin(Runs.ID, journal.source(), () -> this::counted, system);
    }

    private long storedSeqNr(String persistenceId) {
        Map<String, AttributeValue> row = fixture.offset(Runs.NAME, Slices.of(persistenceId), persistenceId);
        return row.isEmpty() ? 0 : Fixture.number(row, "seq_nr");
    }

    private static Throwable failure(Projection<?> projection, ActorSystem<?> system) {
        Throwable failure = Runs.toEnd(projection, system);
        assertThat(failure).isNotNull();
        return failure == null ? new AssertionError() : failure;
    }

    @Test
    void storesItemsAndOffsetTogether() {
        ActorSystem<Void> system = fixture.start();
        journal.deliver("A|1", 1, START).deliver("A|1", 2, START + 1).deliver("A|2", 1, START + 2);

        assertThat(Runs.toEnd(counting(system), system)).isNull();
        assertThat(Runs.toEnd(counting(system), system)).isNull();

        assertThat(fixture.counts()).isEqualTo(Map.of("A|1/1", 1L, "A|1/2", 1L, "A|2/1", 1L));
        assertThat(storedSeqNr("A|1")).isEqualTo(2);
    }

    @Test
    void storesNeitherIfTheHandlersConditionFails() {
        ActorSystem<Void> system = fixture.start();
        journal.deliver("A|1", 1, START);
        TransactWriteItem impossible = TransactWriteItem.builder()
                .conditionCheck(check -> check.tableName(fixture.readModel)
                        .key(Map.of("id", AttributeValue.fromS("x")))
                        .conditionExpression("attribute_exists(id)"))
                .build();

        Throwable failure = failure(
                counting(
                        system,
                        envelope -> CompletableFuture.completedFuture(List.of(fixture.count("A|1", 1), impossible))),
                system);

        assertThat(failure)
                .isInstanceOf(StoreException.Refused.class)
                .hasMessageContaining("item 1: ConditionalCheckFailed")
                .hasMessageContaining("A|1");
        assertThat(fixture.counts()).isEmpty();
        assertThat(storedSeqNr("A|1")).isZero();
    }

    @Test
    void aSecondInstanceCommitsNoEventAgain() {
        ActorSystem<Void> system = fixture.start();
        for (int i = 1; i <= 5; i++) {
            journal.deliver("A|1", i, START + i);
        }
        CompletableFuture<Void> firstIsDone = new CompletableFuture<>();
        CompletableFuture<Void> secondHasStarted = new CompletableFuture<>();
        // The second instance has read its offsets and the row of the entity before the first one stores anything.
        CompletableFuture<Throwable> second = CompletableFuture.supplyAsync(() -> failure(
                counting(system, envelope -> {
                    secondHasStarted.complete(null);
                    return firstIsDone.thenCompose(done -> counted(List.of(envelope)));
                }),
                system));
        Await.result(secondHasStarted);

        assertThat(Runs.toEnd(counting(system), system)).isNull();
        firstIsDone.complete(null);

        assertThat(Await.result(second))
                .isInstanceOf(StoreException.OffsetConflict.class)
                .hasMessageContaining("A|1")
                .hasMessageContaining("sequence number 5")
                .hasMessageContaining("another instance");
        assertThat(fixture.counts().values()).hasSize(5).containsOnly(1L);
    }

    @Test
    void aSkippedEventDoesNotOverwriteTheOffsetOfAnotherInstance() {
        ActorSystem<Void> system = fixture.start();
        journal.deliver("A|1", 1, START).deliver("A|1", 2, START + 1);
        CompletableFuture<Void> firstIsDone = new CompletableFuture<>();
        CompletableFuture<Void> secondHasStarted = new CompletableFuture<>();
        CompletableFuture<Throwable> second = CompletableFuture.supplyAsync(() -> failure(
                counting(system, envelope -> {
                            secondHasStarted.complete(null);
                            return firstIsDone.thenCompose(
                                    done -> CompletableFuture.failedFuture(new IllegalStateException("no")));
                        })
                        .withRecoveryStrategy(HandlerRecoveryStrategy.skip()),
                system));
        Await.result(secondHasStarted);
        assertThat(Runs.toEnd(counting(system), system)).isNull();
        firstIsDone.complete(null);

        assertThat(Await.result(second)).isInstanceOf(StoreException.OffsetConflict.class);
        assertThat(storedSeqNr("A|1")).isEqualTo(2);
    }

    @Test
    void skipsAnEventWhoseHandlerFailsAndStoresItsOffset() {
        ActorSystem<Void> system = fixture.start();
        journal.deliver("A|1", 1, START).deliver("A|1", 2, START + 1).deliver("A|1", 3, START + 2);

        assertThat(Runs.toEnd(
                        counting(system, envelope -> {
                                    if (envelope.sequenceNr() == 2) {
                                        throw new IllegalStateException("not this one");
                                    }
                                    return counted(List.of(envelope));
                                })
                                .withRecoveryStrategy(HandlerRecoveryStrategy.skip()),
                        system))
                .isNull();

        assertThat(fixture.counts()).isEqualTo(Map.of("A|1/1", 1L, "A|1/3", 1L));
        assertThat(storedSeqNr("A|1")).isEqualTo(3);
    }

    @Test
    void retriesAHandlerThatFails() {
        ActorSystem<Void> system = fixture.start();
        journal.deliver("A|1", 1, START);
        AtomicInteger calls = new AtomicInteger();

        assertThat(Runs.toEnd(
                        counting(
                                        system,
                                        envelope -> calls.incrementAndGet() < 3
                                                ? CompletableFuture.failedFuture(new IllegalStateException("not yet"))
                                                : counted(List.of(envelope)))
                                .withRecoveryStrategy(HandlerRecoveryStrategy.retryAndFail(5, Duration.ofMillis(1))),
                        system))
                .isNull();

        assertThat(fixture.counts()).isEqualTo(Map.of("A|1/1", 1L));
    }

    @Test
    void redeliversAfterAFailure() {
        ActorSystem<Void> system = fixture.start();
        journal.deliver("A|1", 1, START).deliver("A|1", 2, START + 1);

        assertThat(failure(
                        counting(
                                system,
                                envelope -> envelope.sequenceNr() == 2
                                        ? CompletableFuture.failedFuture(new IllegalStateException("crash"))
                                        : counted(List.of(envelope))),
                        system))
                .hasMessage("crash");
        assertThat(Runs.toEnd(counting(system), system)).isNull();

        assertThat(fixture.counts()).isEqualTo(Map.of("A|1/1", 1L, "A|1/2", 1L));
    }

    @Test
    void groupsAreOneTransaction() {
        FaultProxy proxy = fixture.proxy();
        ActorSystem<Void> system = fixture.start(proxy);
        for (int i = 1; i <= 10; i++) {
            journal.deliver("A|" + (i % 3), (i + 2) / 3, START + i);
        }

        assertThat(Runs.toEnd(grouped(system).withGroup(10, Duration.ofSeconds(10)), system))
                .isNull();

        assertThat(proxy.requests(RequestMatch.operation("TransactWriteItems"))).hasSize(1);
        assertThat(fixture.counts().values()).hasSize(10).containsOnly(1L);
        assertThat(storedSeqNr("A|1")).isEqualTo(4);
    }

    @Test
    void moreThanAHundredItemsAreAClearError() {
        ActorSystem<Void> system = fixture.start();
        journal.deliver("A|1", 1, START);
        List<TransactWriteItem> items = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            items.add(fixture.count("x", i));
        }

        assertThat(failure(counting(system, envelope -> CompletableFuture.completedFuture(items)), system))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("100 items")
                .hasMessageContaining("at most 100");
        assertThat(fixture.counts()).isEmpty();

        items.remove(0);
        assertThat(Runs.toEnd(counting(system, envelope -> CompletableFuture.completedFuture(items)), system))
                .isNull();
        assertThat(fixture.counts()).hasSize(99);
    }

    @Test
    void aLostReplyThrottlingAndAConflictOfTransactionsAreRetried() {
        FaultProxy proxy = fixture.proxy();
        ActorSystem<Void> system = fixture.start(proxy);
        journal.deliver("A|1", 1, START).deliver("A|1", 2, START + 1).deliver("A|1", 3, START + 2);
        proxy.when(RequestMatch.operation("TransactWriteItems").containing("event-1"))
                .loseReply();
        proxy.when(RequestMatch.operation("TransactWriteItems").containing("event-2"))
                .times(2)
                .answer(ErrorAnswer.throttling("TableWriteKeyRangeThroughputExceeded", "arn"));
        proxy.when(RequestMatch.operation("TransactWriteItems").containing("event-3"))
                .times(2)
                .answer(ErrorAnswer.of(
                        400,
                        "TransactionCanceledException",
                        "Transaction cancelled, please refer cancellation reasons for specific reasons"
                                + " [TransactionConflict, None]"));

        assertThat(Runs.toEnd(
                        counting(
                                system,
                                envelope -> CompletableFuture.completedFuture(List.of(
                                        fixture.count("event-" + envelope.sequenceNr(), envelope.sequenceNr())))),
                        system))
                .isNull();

        proxy.assertScriptUsed();
        assertThat(fixture.counts()).isEqualTo(Map.of("event-1/1", 1L, "event-2/2", 1L, "event-3/3", 1L));
    }

    /** DynamoDB deletes an expired row at any time. */
    @Test
    void aRowThatExpiresWhileTheHandlerRunsIsNoConflict() {
        ActorSystem<Void> system = fixture.start("dynajournal.projection.offset-time-to-live = 1 day");
        journal.deliver("A|1", 1, START);
        assertThat(Runs.toEnd(counting(system), system)).isNull();
        journal.deliver("A|1", 2, START + 1);

        assertThat(Runs.toEnd(
                        counting(
                                system,
                                envelope -> Fixture.client()
                                        .deleteItem(delete -> delete.tableName(fixture.offsets)
                                                .key(Map.of(
                                                        "name_slice",
                                                        AttributeValue.fromS(Runs.NAME + "-" + Slices.of("A|1")),
                                                        "pid",
                                                        AttributeValue.fromS("A|1"))))
                                        .thenCompose(deleted -> counted(List.of(envelope)))),
                        system))
                .isNull();

        assertThat(fixture.counts()).isEqualTo(Map.of("A|1/1", 1L, "A|1/2", 1L));
        assertThat(storedSeqNr("A|1")).isEqualTo(2);
    }

    /** An instance that handles A|1/1 until it is released. */
    private CompletableFuture<Throwable> stalled(ActorSystem<?> system, CompletableFuture<Void> release) {
        CompletableFuture<Void> reached = new CompletableFuture<>();
        CompletableFuture<Throwable> run = CompletableFuture.supplyAsync(() -> Runs.toEnd(
                counting(system, envelope -> {
                    reached.complete(null);
                    return release.thenCompose(done -> counted(List.of(envelope)));
                }),
                system));
        Await.result(reached);
        return run;
    }

    /** A limit that docs/projections.md states. */
    @Test
    void anInstanceFromBeforeAClearMayCommitTheEventThatItHandlesOnceMore() {
        ActorSystem<Void> system = fixture.start();
        fixture.createOffsets(system);
        journal.deliver("A|1", 1, START);
        CompletableFuture<Void> release = new CompletableFuture<>();
        CompletableFuture<Throwable> stalled = stalled(system, release);

        fixture.setOffset(Runs.NAME, 0);
        release.complete(null);

        assertThat(Await.result(stalled)).isNull();
        assertThat(Runs.toEnd(counting(system), system)).isNull();
        assertThat(fixture.counts()).isEqualTo(Map.of("A|1/1", 2L));
    }

    /** A limit that docs/projections.md states. */
    @Test
    void anInstanceThatStallsForLongerThanTheTimeToLiveMayCommitAnEventAgain() {
        ActorSystem<Void> system = fixture.start("dynajournal.projection.offset-time-to-live = 1 day");
        fixture.createOffsets(system);
        journal.deliver("A|1", 1, START);
        CompletableFuture<Void> release = new CompletableFuture<>();
        CompletableFuture<Throwable> stalled = stalled(system, release);

        assertThat(Runs.toEnd(counting(system), system)).isNull();
        fixture.deleteOffset(Runs.NAME, Slices.of("A|1"), "A|1");
        release.complete(null);

        // The rows of slices belong to the other instance; they are not stored again.
        Await.result(stalled.handle((failure, thrown) -> true));
        assertThat(fixture.counts()).isEqualTo(Map.of("A|1/1", 2L));
    }
}
