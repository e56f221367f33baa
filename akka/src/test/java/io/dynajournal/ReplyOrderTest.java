package io.dynajournal;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.ActorRef;
import akka.actor.ActorSystem;
import akka.pattern.CircuitBreakerOpenException;
import akka.persistence.AtomicWrite;
import akka.persistence.JournalProtocol;
import akka.persistence.NonPersistentRepr;
import akka.persistence.Persistence;
import akka.persistence.PersistentEnvelope;
import akka.persistence.PersistentRepr;
import com.typesafe.config.ConfigFactory;
import io.dynajournal.exception.StoreException;
import io.dynajournal.testkit.ErrorAnswer;
import io.dynajournal.testkit.FaultProxy;
import io.dynajournal.testkit.HeldRequest;
import io.dynajournal.testkit.RequestMatch;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import scala.jdk.javaapi.CollectionConverters;

/** The journal's replies: in order for each entity, and independent of other entities. */
final class ReplyOrderTest {

    /** One attempt only, so that a held request is not overtaken by its own retry. */
    private static final String ONE_ATTEMPT = "\ndynajournal.client { call-timeout = 9 s, call-attempt-timeout = 9 s }";

    @RegisterExtension
    final Systems systems = new Systems();

    private final String id = Systems.freshId();
    private final String other = Systems.freshId();
    private final FaultProxy proxy = Systems.proxy();

    @AfterEach
    void close() {
        proxy.close();
    }

    private static ActorRef recovered(ActorSystem system, String id, Probe probe) {
        ActorRef ledger = system.actorOf(Ledger.props(id, probe.ref()));
        probe.expect(Ledger.Recovered.class);
        return ledger;
    }

    @Test
    void aHeldWriteOfOneEntityDoesNotDelayOthers() {
        ActorSystem system = systems.start(Systems.through(proxy) + ONE_ATTEMPT);
        Probe slow = new Probe(system);
        Probe quick = new Probe(system);
        ActorRef held = recovered(system, id, slow);
        ActorRef free = recovered(system, other, quick);
        HeldRequest write = proxy.when(RequestMatch.writes().containing(id)).hold();

        held.tell(new Ledger.Add("a"), ActorRef.noSender());
        write.awaitArrival();
        for (String event : List.of("b", "c", "d")) {
            free.tell(new Ledger.Add(event), ActorRef.noSender());
            quick.expect(Ledger.Added.class);
        }
        assertThat(slow.heard(Object.class)).isEmpty();
        write.release();
        slow.expect(Ledger.Added.class);
    }

    @Test
    void aHeldWriteOrDeleteDoesNotDelayTheRecoveryOfOthers() {
        ActorSystem system = systems.start(Systems.through(proxy) + ONE_ATTEMPT);
        Probe slow = new Probe(system);
        ActorRef held = recovered(system, id, slow);
        held.tell(new Ledger.Add("a"), ActorRef.noSender());
        slow.expect(Ledger.Added.class);
        HeldRequest delete = proxy.when(RequestMatch.writes().containing(id)).hold();
        held.tell(new Ledger.DeleteTo(1), ActorRef.noSender());
        delete.awaitArrival();
        HeldRequest write = proxy.when(RequestMatch.writes().containing(id)).hold();
        held.tell(new Ledger.Add("b"), ActorRef.noSender());
        write.awaitArrival();

        Probe quick = new Probe(system);
        ActorRef free = recovered(system, other, quick);
        free.tell(new Ledger.Add("c"), ActorRef.noSender());
        quick.expect(Ledger.Added.class);
        free.tell(new Ledger.DeleteTo(1), ActorRef.noSender());
        quick.expect(akka.persistence.DeleteMessagesSuccess.class);
        assertThat(slow.heard(Object.class)).isEmpty();
        delete.release();
        write.release();
        slow.expectAny(Ledger.Added.class, akka.persistence.DeleteMessagesSuccess.class);
        slow.expectAny(Ledger.Added.class, akka.persistence.DeleteMessagesSuccess.class);
    }

    @Test
    void repliesOfOneEntityNeverSwap() {
        ActorSystem system = systems.start();
        Random random = new Random(14);
        Probe probe = new Probe(system);
        ActorRef entity = recovered(system, id, probe);
        List<Object> expected = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            // The shorter the text, the later its serializer answers.
            String text = i + "x".repeat(random.nextInt(10));
            if (random.nextInt(3) == 0) {
                entity.tell(new Ledger.Defer(text), ActorRef.noSender());
                expected.add(new Ledger.Deferred(text));
            } else {
                Object event = random.nextInt(4) == 0 ? new Later(text) : text;
                entity.tell(new Ledger.AddAsync(event), ActorRef.noSender());
                expected.add(event);
            }
        }

        List<Object> seen = new ArrayList<>();
        for (int i = 0; i < expected.size(); i++) {
            Object next = probe.expectAny(Ledger.Added.class, Ledger.Deferred.class);
            seen.add(next instanceof Ledger.Added added ? added.event() : next);
        }
        assertThat(seen).isEqualTo(expected);
    }

    private ActorRef journal(ActorSystem system) {
        return Persistence.get(system).journalFor("dynajournal.journal", ConfigFactory.empty());
    }

    private AtomicWrite event(Object payload, long seqNr, ActorRef sender) {
        return AtomicWrite.apply(PersistentRepr.apply(payload, seqNr, id, "", false, sender, "writer"));
    }

    private static JournalProtocol.WriteMessages message(
            ActorRef entity, int instance, PersistentEnvelope... envelopes) {
        return new JournalProtocol.WriteMessages(
                CollectionConverters.asScala(List.of(envelopes)).toSeq(), entity, instance);
    }

    @Test
    void aMessageOfDeferredHandlersIsAnsweredAfterEarlierWrites() {
        ActorSystem system = systems.start();
        Probe probe = new Probe(system);
        CompletableFuture<Void> release = new CompletableFuture<>();
        LaterSerializer.hold("held " + id, release);
        ActorRef journal = journal(system);

        journal.tell(message(probe.ref(), 1, event(new Later("held " + id), 1, probe.ref())), probe.ref());
        journal.tell(message(probe.ref(), 1, NonPersistentRepr.apply("deferred", probe.ref())), probe.ref());
        release.complete(null);

        probe.expect(JournalProtocol.WriteMessagesSuccessful$.class);
        probe.expect(JournalProtocol.WriteMessageSuccess.class);
        probe.expect(JournalProtocol.WriteMessagesSuccessful$.class);
        assertThat(probe.expect(JournalProtocol.LoopMessageSuccess.class).message())
                .isEqualTo("deferred");
    }

    @Test
    void everyEnvelopeOfAMessageIsAnsweredAsTheToolkitDoes() {
        ActorSystem system = systems.start();
        Probe probe = new Probe(system);
        Probe commander = new Probe(system);
        ActorRef sender = commander.ref();
        ActorRef journal = journal(system);

        journal.tell(
                message(
                        probe.ref(),
                        7,
                        event("stored", 1, sender),
                        NonPersistentRepr.apply("deferred", sender),
                        event(new Unserializable(), 2, sender),
                        event("stored too", 3, sender)),
                probe.ref());

        probe.expect(JournalProtocol.WriteMessagesSuccessful$.class);
        assertThat(probe.sender()).isEqualTo(journal);
        JournalProtocol.WriteMessageSuccess first = probe.expect(JournalProtocol.WriteMessageSuccess.class);
        assertThat(first.persistent().payload()).isEqualTo("stored");
        assertThat(first.actorInstanceId()).isEqualTo(7);
        assertThat(probe.sender()).isEqualTo(sender);
        JournalProtocol.LoopMessageSuccess deferred = probe.expect(JournalProtocol.LoopMessageSuccess.class);
        assertThat(deferred.message()).isEqualTo("deferred");
        assertThat(deferred.actorInstanceId()).isEqualTo(7);
        assertThat(probe.sender()).isEqualTo(sender);
        JournalProtocol.WriteMessageRejected rejected = probe.expect(JournalProtocol.WriteMessageRejected.class);
        assertThat(rejected.message().sequenceNr()).isEqualTo(2);
        assertThat(rejected.actorInstanceId()).isEqualTo(7);
        assertThat(probe.expect(JournalProtocol.WriteMessageSuccess.class)
                        .persistent()
                        .sequenceNr())
                .isEqualTo(3);
    }

    @Test
    void aFailedMessageFailsItsEventsButNotItsDeferredHandlers() {
        ActorSystem system = systems.start(Systems.through(proxy));
        Probe probe = new Probe(system);
        ActorRef journal = journal(system);
        proxy.when(RequestMatch.writes().containing(id))
                .answer(ErrorAnswer.of(400, "AccessDeniedException", "Not now."));

        journal.tell(
                message(
                        probe.ref(),
                        7,
                        event("a", 1, probe.ref()),
                        NonPersistentRepr.apply("deferred", probe.ref()),
                        event("b", 2, probe.ref())),
                probe.ref());

        JournalProtocol.WriteMessagesFailed failed = probe.expect(JournalProtocol.WriteMessagesFailed.class);
        assertThat(failed.cause()).isInstanceOf(StoreException.class);
        assertThat(failed.writeCount()).isEqualTo(2);
        assertThat(probe.expect(JournalProtocol.WriteMessageFailure.class).cause())
                .isSameAs(failed.cause());
        probe.expect(JournalProtocol.LoopMessageSuccess.class);
        assertThat(probe.expect(JournalProtocol.WriteMessageFailure.class)
                        .message()
                        .sequenceNr())
                .isEqualTo(2);
    }

    @Test
    void whatAnEventAdapterThrowsRejectsTheWrites() {
        ActorSystem system = systems.start("dynajournal.journal { event-adapters.bad = \"" + BadAdapter.class.getName()
                + "\", event-adapter-bindings.\"java.lang.String\" = bad }");
        Probe probe = new Probe(system);
        ActorRef ledger = recovered(system, id, probe);

        ledger.tell(new Ledger.AddAll(List.of("a", "b")), ActorRef.noSender());
        assertThat(probe.expect(2, Ledger.Rejected.class))
                .extracting(Ledger.Rejected::cause)
                .allSatisfy(cause -> assertThat(cause).hasMessage("no such event"));
        ledger.tell(new Ledger.Add(3), ActorRef.noSender());
        assertThat(probe.expect(Ledger.Added.class).seqNr()).isEqualTo(3);
    }

    @Test
    void failedWritesOpenTheBreakerForWritesAndNotForRecoveries() {
        ActorSystem system = systems.start(Systems.through(proxy)
                + "\ndynajournal.journal.circuit-breaker { max-failures = 1, reset-timeout = 60 s }");
        Probe probe = new Probe(system);
        ActorRef failing = recovered(system, id, probe);
        Probe others = new Probe(system);
        ActorRef open = recovered(system, other, others);
        proxy.when(RequestMatch.writes().containing(id))
                .answer(ErrorAnswer.of(400, "AccessDeniedException", "Not now."));
        failing.tell(new Ledger.Add("a"), ActorRef.noSender());
        probe.expect(Ledger.Failed.class);

        recovered(system, Systems.freshId(), new Probe(system));
        open.tell(new Ledger.Add("b"), ActorRef.noSender());
        assertThat(others.expect(Ledger.Failed.class).cause()).isInstanceOf(CircuitBreakerOpenException.class);
        assertThat(proxy.requests(RequestMatch.writes().containing(other))).isEmpty();
        recovered(system, Systems.freshId(), new Probe(system));
    }
}
