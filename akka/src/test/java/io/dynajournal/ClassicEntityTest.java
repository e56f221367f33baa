package io.dynajournal;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.ActorRef;
import akka.actor.ActorSystem;
import akka.actor.PoisonPill;
import akka.actor.Terminated;
import akka.persistence.DeleteMessagesSuccess;
import akka.persistence.SaveSnapshotSuccess;
import akka.persistence.journal.Tagged;
import io.dynajournal.internal.model.StoredEvent;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ClassicEntityTest {

    @RegisterExtension
    final Systems systems = new Systems();

    private final String id = Systems.freshId();
    private ActorSystem system;
    private Probe probe;

    @BeforeEach
    void start() {
        system = systems.start();
        probe = new Probe(system);
    }

    private ActorRef ledger() {
        return ledger("");
    }

    private ActorRef ledger(String journal) {
        ActorRef ledger = system.actorOf(Ledger.props(id, probe.ref(), journal, ""));
        probe.expect(Ledger.Recovered.class);
        return ledger;
    }

    private ActorRef restarted(ActorRef ledger) {
        stop(ledger);
        return ledger();
    }

    private void stop(ActorRef ledger) {
        probe.watch(ledger);
        ledger.tell(PoisonPill.getInstance(), ActorRef.noSender());
        probe.expect(Terminated.class);
    }

    private Ledger.State recovered(ActorRef ledger) {
        return probe.state(restarted(ledger));
    }

    @Test
    void newEntityIsEmpty() {
        assertThat(probe.state(ledger())).isEqualTo(new Ledger.State(List.of(), 0));
    }

    @Test
    void recoversWhatItPersisted() {
        ActorRef ledger = ledger();
        ledger.tell(new Ledger.Add("a"), ActorRef.noSender());
        ledger.tell(new Ledger.AddAll(List.of("b", "c", "d")), ActorRef.noSender());
        ledger.tell(new Ledger.AddEach(List.of("e", "f")), ActorRef.noSender());
        probe.expect(6, Ledger.Added.class);

        assertThat(recovered(ledger)).isEqualTo(new Ledger.State(List.of("a", "b", "c", "d", "e", "f"), 6));
    }

    @Test
    void recoversManyEventsInOrder() {
        List<String> many = IntStream.range(0, 2500).mapToObj(n -> "event " + n).toList();
        ActorRef ledger = ledger();
        for (int from = 0; from < many.size(); from += 500) {
            ledger.tell(new Ledger.AddAll(many.subList(from, from + 500)), ActorRef.noSender());
        }
        probe.expect(many.size(), Ledger.Added.class);

        assertThat(recovered(ledger)).isEqualTo(new Ledger.State(many, many.size()));
    }

    @Test
    void persistsOnAfterRecovery() {
        ActorRef ledger = ledger();
        ledger.tell(new Ledger.Add("a"), ActorRef.noSender());
        probe.expect(Ledger.Added.class);
        ActorRef again = restarted(ledger);
        again.tell(new Ledger.Add("b"), ActorRef.noSender());

        assertThat(probe.expect(Ledger.Added.class).seqNr()).isEqualTo(2);
        assertThat(recovered(again)).isEqualTo(new Ledger.State(List.of("a", "b"), 2));
    }

    @Test
    void recoversFromSnapshotAndLaterEvents() {
        ActorRef ledger = ledger();
        ledger.tell(new Ledger.AddAll(List.of("a", "b")), ActorRef.noSender());
        probe.expect(2, Ledger.Added.class);
        ledger.tell(new Ledger.Save(), ActorRef.noSender());
        probe.expect(SaveSnapshotSuccess.class);
        ledger.tell(new Ledger.DeleteTo(2), ActorRef.noSender());
        probe.expect(DeleteMessagesSuccess.class);
        ledger.tell(new Ledger.Add("c"), ActorRef.noSender());
        probe.expect(Ledger.Added.class);

        assertThat(recovered(ledger)).isEqualTo(new Ledger.State(List.of("a", "b", "c"), 3));
        assertThat(storedNumbers()).containsExactly(3L);
    }

    @Test
    void highestNumberSurvivesTheDeleteOfAll() {
        ActorRef ledger = ledger();
        ledger.tell(new Ledger.AddAll(List.of("a", "b")), ActorRef.noSender());
        probe.expect(2, Ledger.Added.class);
        ledger.tell(new Ledger.DeleteTo(Long.MAX_VALUE), ActorRef.noSender());
        probe.expect(DeleteMessagesSuccess.class);

        ActorRef again = restarted(ledger);
        assertThat(probe.state(again)).isEqualTo(new Ledger.State(List.of(), 2));
        again.tell(new Ledger.Add("c"), ActorRef.noSender());
        assertThat(probe.expect(Ledger.Added.class).seqNr()).isEqualTo(3);
    }

    @Test
    void rejectedEventIsNotStoredAndTheEntityGoesOn() {
        ActorRef ledger = ledger();
        ledger.tell(new Ledger.Add("a"), ActorRef.noSender());
        probe.expect(Ledger.Added.class);
        ledger.tell(new Ledger.Add(new Unserializable()), ActorRef.noSender());
        probe.expect(Ledger.Rejected.class);
        ledger.tell(new Ledger.Add("b"), ActorRef.noSender());
        probe.expect(Ledger.Added.class);

        assertThat(recovered(ledger)).isEqualTo(new Ledger.State(List.of("a", "b"), 3));
        assertThat(storedNumbers()).containsExactly(1L, 3L);
    }

    /** A missing class, or an object that is too deep, must not leave the write unanswered until the circuit breaker opens. */
    @ParameterizedTest
    @ValueSource(strings = {Erroneous.UNWRITABLE, Erroneous.TOO_DEEP})
    void eventWhoseSerializerThrowsAnErrorIsRejectedAndTheEntityContinues(String error) {
        ActorRef ledger = ledger();
        ledger.tell(new Ledger.AddEach(List.of("a", new Erroneous(error), "b")), ActorRef.noSender());
        probe.expect(Ledger.Added.class);
        assertThat(probe.expect(Ledger.Rejected.class).cause()).hasCauseInstanceOf(Error.class);
        probe.expect(Ledger.Added.class);
        assertThat(recovered(ledger).events()).containsExactly("a", "b");
    }

    @Test
    void eventWhoseSerializerThrowsAnErrorWhenItIsReadFailsTheRecovery() {
        ActorRef ledger = ledger();
        ledger.tell(new Ledger.Add(new Erroneous(Erroneous.UNREADABLE)), ActorRef.noSender());
        probe.expect(Ledger.Added.class);
        stop(ledger);
        system.actorOf(Ledger.props(id, probe.ref()));
        assertThat(probe.expect(Ledger.RecoveryFailed.class).cause()).hasRootCauseInstanceOf(Error.class);
    }

    @Test
    void rejectionTakesOnlyItsOwnAtomicWriteAlong() {
        ActorRef ledger = ledger();
        ledger.tell(new Ledger.AddEach(List.of("a", "b", new Unserializable(), "c", "d")), ActorRef.noSender());
        probe.expect(2, Ledger.Added.class);
        probe.expect(Ledger.Rejected.class);
        probe.expect(2, Ledger.Added.class);

        assertThat(recovered(ledger)).isEqualTo(new Ledger.State(List.of("a", "b", "c", "d"), 5));
    }

    @Test
    void oneBadEventRejectsItsWholePersistAll() {
        ActorRef ledger = ledger();
        ledger.tell(new Ledger.AddAll(List.of("a", new Unserializable(), "b")), ActorRef.noSender());
        probe.expect(3, Ledger.Rejected.class);
        ledger.tell(new Ledger.Add("c"), ActorRef.noSender());
        probe.expect(Ledger.Added.class);

        assertThat(recovered(ledger)).isEqualTo(new Ledger.State(List.of("c"), 4));
    }

    @Test
    void asynchronousSerializerKeepsTheOrder() {
        ActorRef ledger = ledger();
        Stream.of("a", "bb", "ccc", "dddd")
                .map(Later::new)
                .forEach(event -> ledger.tell(new Ledger.AddAsync(event), ActorRef.noSender()));
        ledger.tell(new Ledger.AddAll(List.of(new Later("e"), "f", new Later("gg"))), ActorRef.noSender());
        probe.expect(7, Ledger.Added.class);

        assertThat(recovered(ledger).events()).containsExactly("a", "bb", "ccc", "dddd", "e", "f", "gg");
    }

    @Test
    void tagsAreKeptBesideTheEvent() {
        ActorRef ledger = ledger();
        ledger.tell(new Ledger.Add(new Tagged("a", Set.of("red", "blue"))), ActorRef.noSender());
        probe.expect(Ledger.Added.class);

        assertThat(stored().get(0).event().tags()).containsExactlyInAnyOrder("red", "blue");
        assertThat(recovered(ledger).events()).containsExactly("a");
    }

    @Test
    void adapterManifestComesBackAndReplaysRunOnTheirDispatcher() {
        ActorRef ledger = ledger("shouting-journal");
        ledger.tell(new Ledger.Add("a"), ActorRef.noSender());
        probe.expect(Ledger.Added.class);
        stop(ledger);

        assertThat(stored().get(0).event().adapterManifest()).isEqualTo(ShoutingAdapter.MANIFEST);
        assertThat(probe.state(ledger("shouting-journal")).events())
                .containsExactly("a shouted on test-shouting-journal.replays");
    }

    private List<StoredEvent> stored() {
        return Stored.events(system, "dynajournal_events", id);
    }

    private List<Long> storedNumbers() {
        return stored().stream().map(StoredEvent::seqNr).toList();
    }
}
