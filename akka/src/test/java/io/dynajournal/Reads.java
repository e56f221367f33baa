package io.dynajournal;

import akka.actor.ActorRef;
import akka.actor.ActorSystem;
import akka.persistence.query.EventEnvelope;
import akka.persistence.query.PersistenceQuery;
import akka.stream.javadsl.Sink;
import akka.stream.javadsl.SinkQueueWithCancel;
import akka.stream.javadsl.Source;
import io.dynajournal.query.javadsl.DynajournalReadJournal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Entities that write, and queries that read their events. */
final class Reads {

    private final ActorSystem system;
    private final Probe probe;

    Reads(ActorSystem system) {
        this.system = system;
        this.probe = new Probe(system);
    }

    /** Settings for a table that no other test uses. */
    static String freshTable() {
        return "dynajournal.journal.table = \"q_" + UUID.randomUUID() + "\"\n";
    }

    ActorSystem system() {
        return system;
    }

    DynajournalReadJournal journal() {
        return journal(DynajournalReadJournal.IDENTIFIER);
    }

    DynajournalReadJournal journal(String pluginId) {
        return PersistenceQuery.get(system).getReadJournalFor(DynajournalReadJournal.class, pluginId);
    }

    ActorRef ledger(String id) {
        return ledger(id, "");
    }

    ActorRef ledger(String id, String journal) {
        ActorRef ledger = system.actorOf(Ledger.props(id, probe.ref(), journal, ""));
        probe.expect(Ledger.Recovered.class);
        return ledger;
    }

    void add(ActorRef ledger, Object... events) {
        for (Object event : events) {
            ledger.tell(new Ledger.Add(event), ActorRef.noSender());
            probe.expect(Ledger.Added.class);
        }
    }

    void addAll(ActorRef ledger, Object... events) {
        ledger.tell(new Ledger.AddAll(List.of(events)), ActorRef.noSender());
        probe.expect(events.length, Ledger.Added.class);
    }

    void deleteTo(ActorRef ledger, long seqNr) {
        ledger.tell(new Ledger.DeleteTo(seqNr), ActorRef.noSender());
        probe.expect(akka.persistence.DeleteMessagesSuccess.class);
    }

    void save(ActorRef ledger) {
        ledger.tell(new Ledger.Save(), ActorRef.noSender());
        probe.expect(akka.persistence.SaveSnapshotSuccess.class);
    }

    <T> List<T> all(Source<T, ?> source) {
        return result(source.runWith(Sink.seq(), system));
    }

    <T> List<T> first(int count, Source<T, ?> source) {
        return all(source.take(count));
    }

    /** A consumer that demands one element after another. */
    <T> Consumer<T> consumer(Source<T, ?> source) {
        return new Consumer<>(source.runWith(Sink.<T>queue(1), system));
    }

    static final class Consumer<T> {
        private final SinkQueueWithCancel<T> queue;
        private @Nullable CompletableFuture<Optional<T>> pulled;

        private Consumer(SinkQueueWithCancel<T> queue) {
            this.queue = queue;
        }

        T next() {
            T next = nextWithin(Duration.ofSeconds(60));
            if (next == null) {
                throw new AssertionError("No element was delivered within 60 seconds");
            }
            return next;
        }

        /** Null if no element is delivered in time; a later call returns it. */
        @Nullable
        T nextWithin(Duration time) {
            CompletableFuture<Optional<T>> pull = pulled == null ? queue.pull().toCompletableFuture() : pulled;
            Optional<T> next = pull.copy()
                    .completeOnTimeout(Optional.empty(), time.toMillis(), TimeUnit.MILLISECONDS)
                    .join();
            pulled = next.isPresent() ? null : pull;
            return next.orElse(null);
        }

        List<T> next(int count) {
            List<T> elements = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                elements.add(next());
            }
            return elements;
        }

        void stop() {
            queue.cancel();
        }
    }

    static List<String> texts(List<EventEnvelope> envelopes) {
        return envelopes.stream().map(envelope -> envelope.event().toString()).toList();
    }

    static <T> T result(CompletionStage<T> stage) {
        return stage.toCompletableFuture().orTimeout(60, TimeUnit.SECONDS).join();
    }
}
