package io.dynajournal.journal;

import akka.actor.ActorRef;
import akka.persistence.AtomicWrite;
import akka.persistence.JournalProtocol;
import akka.persistence.NonPersistentRepr;
import akka.persistence.PersistentEnvelope;
import akka.persistence.PersistentRepr;
import io.dynajournal.internal.store.PerIdQueue;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import scala.concurrent.ExecutionContext;
import scala.concurrent.Future;
import scala.jdk.javaapi.CollectionConverters;
import scala.util.Try;

/**
 * Sends the replies to the toolkit's write messages. Each persistent actor receives its replies in the order of its
 * messages; no actor waits for the writes of another. The toolkits' own journal holds every reply back until all earlier
 * writes of all entities are answered. Thread-safe.
 */
final class WriteReplies {

    private final ActorRef journal;
    private final PerIdQueue<ActorRef> queue;

    /**
     * @param journal the sender of the replies that concern a whole message
     * @param executor sends replies that had to wait for earlier ones
     */
    WriteReplies(ActorRef journal, Executor executor) {
        this.journal = journal;
        this.queue = new PerIdQueue<>(executor);
    }

    /**
     * Replies to a message when its writes are done and all earlier messages of the same actor have been replied to. To be
     * called in the order of the messages.
     *
     * @param written for each atomic write its rejection, if it has one; an empty list if all were stored
     */
    void send(JournalProtocol.WriteMessages message, Future<List<Optional<Exception>>> written) {
        queue.runShort(message.persistentActor(), () -> {
            CompletableFuture<@Nullable Void> sent = new CompletableFuture<>();
            written.onComplete(
                    outcome -> {
                        reply(message, outcome);
                        return sent.complete(null);
                    },
                    ExecutionContext.parasitic$.MODULE$);
            return sent;
        });
    }

    private void reply(JournalProtocol.WriteMessages message, Try<List<Optional<Exception>>> outcome) {
        if (outcome.isSuccess()) {
            succeeded(message, outcome.get());
        } else {
            failed(message, outcome.failed().get());
        }
    }

    private void succeeded(JournalProtocol.WriteMessages message, List<Optional<Exception>> rejections) {
        int instance = message.actorInstanceId();
        message.persistentActor().tell(JournalProtocol.WriteMessagesSuccessful$.MODULE$, journal);
        Iterator<Optional<Exception>> each = rejections.iterator();
        for (PersistentEnvelope envelope : CollectionConverters.asJava(message.messages())) {
            @Nullable
            Exception rejection = envelope instanceof AtomicWrite && each.hasNext()
                    ? each.next().orElse(null)
                    : null;
            replyToEach(
                    message,
                    envelope,
                    rejection == null
                            ? event -> new JournalProtocol.WriteMessageSuccess(event, instance)
                            : event -> new JournalProtocol.WriteMessageRejected(event, rejection, instance));
        }
    }

    private void failed(JournalProtocol.WriteMessages message, Throwable failure) {
        int instance = message.actorInstanceId();
        Iterable<PersistentEnvelope> envelopes = CollectionConverters.asJava(message.messages());
        int atomicWrites = 0;
        for (PersistentEnvelope envelope : envelopes) {
            atomicWrites += envelope instanceof AtomicWrite ? 1 : 0;
        }
        message.persistentActor().tell(new JournalProtocol.WriteMessagesFailed(failure, atomicWrites), journal);
        for (PersistentEnvelope envelope : envelopes) {
            replyToEach(message, envelope, event -> new JournalProtocol.WriteMessageFailure(event, failure, instance));
        }
    }

    /** One reply for each event, from the sender of its command. What was only deferred succeeds whatever happens. */
    private static void replyToEach(
            JournalProtocol.WriteMessages message,
            PersistentEnvelope envelope,
            Function<PersistentRepr, JournalProtocol.Response> reply) {
        ActorRef entity = message.persistentActor();
        if (envelope instanceof AtomicWrite write) {
            for (PersistentRepr event : CollectionConverters.asJava(write.payload())) {
                entity.tell(reply.apply(event), event.sender());
            }
        } else if (envelope instanceof NonPersistentRepr deferred) {
            entity.tell(
                    new JournalProtocol.LoopMessageSuccess(deferred.payload(), message.actorInstanceId()),
                    deferred.sender());
        }
    }
}
