package io.dynajournal.projection;

import static io.dynajournal.projection.ModelJournal.START;
import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.typed.ActorSystem;
import akka.persistence.query.typed.EventEnvelope;
import akka.projection.Projection;
import io.dynajournal.exception.StoreException;
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

    private static final RequestMatch BATCH = RequestMatch.operation("PutItem").containing("_log-");
    private static final RequestMatch FIRST_SLICE =
            RequestMatch.operation("PutItem").containing("\"tolog\"");
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
        return DynajournalProjection.exactlyOnce(
                Runs.ID,
                journal.source(),
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
        RequestMatch transaction = RequestMatch.operation("TransactWriteItems");
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

    /** The limit that docs/projections.md states: the number of its next batch was used, and deleted since. */
    @Test
    void anInstanceThatComesBackAfterMoreThanTheWindowMayCountAnEventAgain() {
        CompletableFuture<Void> reached = new CompletableFuture<>();
        CompletableFuture<Void> back = new CompletableFuture<>();
        CompletableFuture<Optional<Throwable>> run = begin(counting(late, "A|2/1", reached, back), late);
        Await.result(reached);

        journal.deliver("A|3", 1, START + 6 * MINUTE);
        assertThat(Runs.toEnd(counting(other), other)).isNull();
        back.complete(null);

        assertThat(Await.result(run)).isEmpty();
        assertThat(fixture.counts()).isEqualTo(Map.of("A|1/1", 1L, "A|2/1", 2L, "A|3/1", 1L));
    }
}
