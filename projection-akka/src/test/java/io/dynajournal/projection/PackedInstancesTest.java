package io.dynajournal.projection;

import static io.dynajournal.projection.ModelJournal.START;
import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.typed.ActorSystem;
import akka.persistence.query.typed.EventEnvelope;
import akka.projection.Projection;
import akka.projection.ProjectionId;
import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.model.Slices;
import io.dynajournal.projection.javadsl.DynajournalProjection;
import io.dynajournal.testkit.Await;
import io.dynajournal.testkit.FaultProxy;
import io.dynajournal.testkit.HeldRequest;
import io.dynajournal.testkit.RequestMatch;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The layout packed, with an instance that is late while another one projects the same slices. */
final class PackedInstancesTest {

    private static final String PACKED = """
            dynajournal.projection { layout = packed, packed-window = 5 minutes }
            """;

    /** A request is held for as long as another projection takes. */
    private static final String PATIENT = "proxied { call-attempt-timeout = 80 s, call-timeout = 85 s }\n";

    private static final RequestMatch BATCH = RequestMatch.operation("PutItem").containing("\"batch\"");
    private static final RequestMatch FIRST_SLICE =
            RequestMatch.operation("TransactWriteItems").containing("\"tolog\"");
    private static final long MINUTE = 60_000_000;

    @RegisterExtension
    final Fixture fixture = new Fixture();

    private final ModelJournal journal = new ModelJournal();
    private FaultProxy proxy;
    private ActorSystem<Void> late;
    private ActorSystem<Void> other;

    @BeforeEach
    void startBoth() {
        fixture.createReadModel();
        proxy = fixture.proxy();
        late = fixture.start(Fixture.through(proxy) + PATIENT + PACKED);
        other = fixture.start(PACKED);
        fixture.createOffsets(other);
        journal.deliver("A|1", 1, START).deliver("A|2", 1, START + 1);
    }

    /** The failure of a run, empty if it ended well. */
    private static CompletableFuture<Optional<Throwable>> begin(Projection<?> projection, ActorSystem<?> system) {
        return CompletableFuture.supplyAsync(() -> Optional.ofNullable(Runs.toEnd(projection, system)));
    }

    /** Exactly once; the handler waits before it returns the item of an event. */
    private Projection<EventEnvelope<String>> counting(
            ActorSystem<?> system, String slow, CompletableFuture<?> reached, CompletableFuture<?> until) {
        return counting(system, 1023, slow, reached, until);
    }

    /** Of the slices from 0 on. */
    private Projection<EventEnvelope<String>> counting(
            ActorSystem<?> system, int last, String slow, CompletableFuture<?> reached, CompletableFuture<?> until) {
        return DynajournalProjection.exactlyOnce(
                ProjectionId.of(Runs.NAME, "0-" + last),
                journal.source(0, last),
                () -> envelope -> {
                    boolean waits = Runs.label(envelope).equals(slow);
                    if (waits) {
                        reached.complete(null);
                    }
                    return (waits ? until : CompletableFuture.completedFuture(null))
                            .thenApply(done -> List.of(fixture.count(envelope.persistenceId(), envelope.sequenceNr())));
                },
                system);
    }

    private Projection<EventEnvelope<String>> counting(ActorSystem<?> system) {
        return counting(system, "", new CompletableFuture<>(), new CompletableFuture<>());
    }

    private List<Map<String, AttributeValue>> offsets() {
        return fixture.scan(fixture.offsets);
    }

    private void assertRejected(CompletableFuture<Optional<Throwable>> run, int batch) {
        assertThat(Await.result(run))
                .get()
                .isInstanceOf(StoreException.OffsetConflict.class)
                .extracting(Throwable::getMessage)
                .asString()
                .contains("batch " + batch + " in table " + fixture.offsets, "Nothing was stored");
    }

    @Test
    void aBatchThatIsWrittenLateIsRejectedAndReplacesNothing() {
        HeldRequest batch = proxy.when(BATCH).hold();
        List<String> received = new CopyOnWriteArrayList<>();
        CompletableFuture<Optional<Throwable>> run =
                begin(Runs.atLeastOnce(journal.source(), late, received::add), late);
        proxy.awaitRequests(BATCH, 1);

        // At least once: until one of them saves, both handle the same events.
        assertThat(Runs.received(journal.source(), other)).containsExactly("A|1/1", "A|2/1");
        List<Map<String, AttributeValue>> stored = offsets();
        batch.release();

        assertRejected(run, 1);
        assertThat(received).containsExactly("A|1/1", "A|2/1");
        assertThat(offsets()).containsExactlyInAnyOrderElementsOf(stored);
        assertThat(Runs.received(journal.source(), late)).isEmpty();
    }

    @Test
    void aTransactionThatIsSentLateIsRejectedAsAWhole() {
        RequestMatch transaction = RequestMatch.operation("TransactWriteItems").containing(fixture.readModel);
        HeldRequest commit = proxy.when(transaction).hold();
        CompletableFuture<Optional<Throwable>> run = begin(counting(late), late);
        proxy.awaitRequests(transaction, 1);

        assertThat(Runs.toEnd(counting(other), other)).isNull();
        commit.release();

        assertRejected(run, 1);
        assertThat(fixture.counts()).isEqualTo(Map.of("A|1/1", 1L, "A|2/1", 1L));
    }

    @Test
    void slicesThatAreStoredLateHideNothingOfTheOtherInstance() {
        // The first request makes the instance the owner of its range.
        HeldRequest flush = proxy.when(FIRST_SLICE).after(1).hold();
        CompletableFuture<Optional<Throwable>> run = begin(Runs.atLeastOnce(journal.source(), late, label -> {}), late);
        proxy.awaitRequests(FIRST_SLICE, 2);

        journal.deliver("A|3", 1, START + 6 * MINUTE);
        assertThat(Runs.received(journal.source(), other)).containsExactly("A|3/1");
        List<Map<String, AttributeValue>> stored = offsets();
        flush.release();

        // Its events were stored before, so it ends well, and the rest is up to the other instance.
        assertThat(Await.result(run)).isEmpty();
        assertThat(offsets()).containsExactlyInAnyOrderElementsOf(stored);
        assertThat(Runs.received(journal.source(), late)).isEmpty();
    }

    @Test
    void anInstanceThatComesBackCommitsNothingThatTheOtherHasCommitted() {
        CompletableFuture<Void> reached = new CompletableFuture<>();
        CompletableFuture<Void> back = new CompletableFuture<>();
        CompletableFuture<Optional<Throwable>> run = begin(counting(late, "A|2/1", reached, back), late);
        Await.result(reached);

        journal.deliver("A|3", 1, START + 4 * MINUTE);
        assertThat(Runs.toEnd(counting(other), other)).isNull();
        back.complete(null);

        assertRejected(run, 2);
        assertThat(Runs.toEnd(counting(late), late)).isNull();
        assertThat(fixture.counts()).isEqualTo(Map.of("A|1/1", 1L, "A|2/1", 1L, "A|3/1", 1L));
    }

    /** The number of its next batch was used, and deleted since. */
    @Test
    void anInstanceThatComesBackAfterMoreThanTheWindowCommitsNothing() {
        CompletableFuture<Void> reached = new CompletableFuture<>();
        CompletableFuture<Void> back = new CompletableFuture<>();
        CompletableFuture<Optional<Throwable>> run = begin(counting(late, "A|2/1", reached, back), late);
        Await.result(reached);

        journal.deliver("A|3", 1, START + 6 * MINUTE);
        assertThat(Runs.toEnd(counting(other), other)).isNull();
        back.complete(null);

        assertRejected(run, 2);
        assertThat(Runs.toEnd(counting(late), late)).isNull();
        assertThat(fixture.counts()).isEqualTo(Map.of("A|1/1", 1L, "A|2/1", 1L, "A|3/1", 1L));
    }

    @Test
    void anInstanceThatReadsWhileTheOtherOneDeletesHasShutItOutBefore() {
        CompletableFuture<Void> reached = new CompletableFuture<>();
        CompletableFuture<Void> back = new CompletableFuture<>();
        journal.deliver("A|3", 1, START + 6 * MINUTE);
        CompletableFuture<Optional<Throwable>> run = begin(counting(other, "A|3/1", reached, back), other);
        Await.result(reached);

        // It has read how far the slices were projected, and has not read the batches.
        RequestMatch query = RequestMatch.operation("Query");
        HeldRequest read = proxy.when(query).hold();
        CompletableFuture<Optional<Throwable>> starting = begin(counting(late), late);
        proxy.awaitRequests(query, 1);
        back.complete(null);

        assertRejected(run, 3);
        read.release();
        assertThat(Await.result(starting)).isEmpty();
        assertThat(fixture.counts()).isEqualTo(Map.of("A|1/1", 1L, "A|2/1", 1L, "A|3/1", 1L));
    }

    /** Its flush would delete batches that the new instance has not read, and whose events it would count again. */
    @Test
    void aFlushThatIsSentWhileANewInstanceStartsDeletesNothing() {
        journal.deliver("A|3", 1, START + 6 * MINUTE);
        HeldRequest flush = proxy.when(FIRST_SLICE).after(1).hold();
        CompletableFuture<Optional<Throwable>> run = begin(counting(late), late);
        flush.awaitArrival();

        // The new one owns the log, has read how far the slices were projected, and has not read the batches.
        HeldRequest read = proxy.when(RequestMatch.operation("Query")).hold();
        CompletableFuture<Optional<Throwable>> starting = begin(counting(late), late);
        read.awaitArrival();
        flush.release();
        assertThat(Await.result(run)).isEmpty();
        read.release();

        assertThat(Await.result(starting)).isEmpty();
        assertThat(fixture.counts()).isEqualTo(Map.of("A|1/1", 1L, "A|2/1", 1L, "A|3/1", 1L));
    }

    @Test
    void ofTwoInstancesWithOverlappingSlicesTheOneThatStartedLastGoesOn() {
        String id = IntStream.iterate(4, i -> i + 1)
                .mapToObj(i -> "A|" + i)
                .filter(each -> Slices.of(each) <= 511)
                .findFirst()
                .orElseThrow();
        // Both ranges have run, and the half has shut out the whole.
        CompletableFuture<Void> none = new CompletableFuture<>();
        assertThat(Runs.toEnd(counting(other), other)).isNull();
        assertThat(Runs.toEnd(counting(other, 511, "", none, none), other)).isNull();

        journal.deliver(id, 1, START + 2);
        CompletableFuture<Void> reached = new CompletableFuture<>();
        CompletableFuture<Void> back = new CompletableFuture<>();
        CompletableFuture<Optional<Throwable>> whole = begin(counting(late, id + "/1", reached, back), late);
        Await.result(reached);
        CompletableFuture<Void> halfReached = new CompletableFuture<>();
        CompletableFuture<Void> halfBack = new CompletableFuture<>();
        CompletableFuture<Optional<Throwable>> half =
                begin(counting(other, 511, id + "/1", halfReached, halfBack), other);
        Await.result(halfReached);
        back.complete(null);

        assertThat(Await.result(whole)).get().isInstanceOf(StoreException.OffsetConflict.class);
        halfBack.complete(null);
        assertThat(Await.result(half)).isEmpty();
        assertThat(fixture.counts()).isEqualTo(Map.of("A|1/1", 1L, "A|2/1", 1L, id + "/1", 1L));
    }

    /** An instance that has read the offsets before they were set does not commit after that. */
    @Test
    void anInstanceFromBeforeTheOffsetWasSetCommitsNothing() {
        CompletableFuture<Void> reached = new CompletableFuture<>();
        CompletableFuture<Void> back = new CompletableFuture<>();
        CompletableFuture<Optional<Throwable>> run = begin(counting(late, "A|2/1", reached, back), late);
        Await.result(reached);

        fixture.setOffset(Runs.NAME, START + 1);
        back.complete(null);

        assertRejected(run, 2);
        assertThat(fixture.counts()).isEqualTo(Map.of("A|1/1", 1L));
        assertThat(Runs.toEnd(counting(late), late)).isNull();
        assertThat(fixture.counts()).isEqualTo(Map.of("A|1/1", 1L, "A|2/1", 1L));
    }
}
