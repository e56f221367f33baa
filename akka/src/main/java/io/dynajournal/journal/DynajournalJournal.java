package io.dynajournal.journal;

import akka.actor.ActorRef;
import akka.actor.ActorSystem;
import akka.pattern.CircuitBreaker;
import akka.persistence.AtomicWrite;
import akka.persistence.JournalProtocol;
import akka.persistence.PersistentRepr;
import akka.persistence.journal.japi.AsyncWriteJournal;
import com.typesafe.config.Config;
import io.dynajournal.internal.plugin.OpenPlugins;
import io.dynajournal.internal.toolkit.EventSerde;
import io.dynajournal.internal.toolkit.PayloadSerde;
import io.dynajournal.internal.toolkit.ScalaFutures;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import scala.PartialFunction;
import scala.concurrent.Future;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.BoxedUnit;
import scala.util.control.NonFatal;

/**
 * The journal plugin; a journal's settings name it as {@code class}. A persistent actor is answered as soon as its own
 * events are stored, whatever other entities wait for. If the plugin cannot start, because a setting or its table is wrong,
 * it logs the reason once and fails every request with it, so that entities do not wait for a timeout.
 *
 * <p>Writes have a circuit breaker of their own. Recoveries and deletes go through the toolkit's, with the same settings:
 * that one is private to the toolkit, and with two of them a slow delete or recovery cannot stop all writes.
 */
public class DynajournalJournal extends AsyncWriteJournal {

    private final SerializingJournal journal;
    private final CircuitBreaker writeBreaker;
    private final WriteReplies replies;

    /** Whether the message that is being handled is of an entity that recovers without its events. */
    private boolean withoutEvents;

    /**
     * Called by the toolkit.
     *
     * @param config the plugin's settings
     * @param path where they are, such as {@code dynajournal.journal}
     */
    public DynajournalJournal(Config config, String path) {
        ActorSystem system = context().system();
        OpenPlugins plugins = OpenPlugins.get(system);
        this.journal = new SerializingJournal(
                plugins.journal(config, path),
                new EventSerde(new PayloadSerde(system)),
                plugins.traces(),
                plugins.notifications(path),
                plugins.rejectedWrites());
        Config breaker = config.getConfig("circuit-breaker");
        this.writeBreaker = CircuitBreaker.create(
                system.scheduler(),
                breaker.getInt("max-failures"),
                breaker.getDuration("call-timeout"),
                breaker.getDuration("reset-timeout"));
        this.replies = new WriteReplies(self(), context().dispatcher());
    }

    /** Handles writes itself, because the toolkit would answer them in one order for all entities. */
    @Override
    public void aroundReceive(PartialFunction<Object, BoxedUnit> receive, Object message) {
        if (message instanceof JournalProtocol.WriteMessages writes) {
            replies.send(writes, write(writes));
            return;
        }
        // The toolkit asks for the highest sequence number first; only its message shows whether events are read next.
        withoutEvents = message instanceof JournalProtocol.ReplayMessages replay
                && (replay.toSequenceNr() < replay.fromSequenceNr() || replay.max() <= 0);
        super.aroundReceive(receive, message);
    }

    private Future<List<Optional<Exception>>> write(JournalProtocol.WriteMessages message) {
        List<AtomicWrite> adapted;
        try {
            adapted = List.copyOf(CollectionConverters.asJava(preparePersistentBatch(message.messages())));
        } catch (Throwable failure) { // whatever an event adapter throws
            if (!NonFatal.apply(failure)) {
                throw failure;
            }
            journal.rejected(
                    CollectionConverters.asJava(message.messages()).stream()
                            .filter(AtomicWrite.class::isInstance)
                            .map(AtomicWrite.class::cast)
                            .toList(),
                    entity());
            return Future.successful(Collections.nCopies(
                    message.messages().size(),
                    Optional.of(failure instanceof Exception e ? e : new IllegalStateException(failure))));
        }
        return adapted.isEmpty()
                ? Future.successful(List.of()) // nothing but deferred handlers
                : writeBreaker.callWithCircuitBreaker(() -> ScalaFutures.asScala(journal.write(adapted, entity())));
    }

    /** Not called, because {@link #aroundReceive} handles writes. */
    @Override
    public Future<Iterable<Optional<Exception>>> doAsyncWriteMessages(Iterable<AtomicWrite> messages) {
        List<AtomicWrite> writes = new ArrayList<>();
        messages.forEach(writes::add);
        return ScalaFutures.asScala(journal.write(writes, entity()).thenApply(rejections -> rejections));
    }

    @Override
    public Future<Void> doAsyncDeleteMessagesTo(String persistenceId, long toSequenceNr) {
        return ScalaFutures.asScala(journal.deleteTo(persistenceId, toSequenceNr));
    }

    @Override
    public Future<Void> doAsyncReplayMessages(
            String persistenceId,
            long fromSequenceNr,
            long toSequenceNr,
            long max,
            Consumer<PersistentRepr> replayCallback) {
        return ScalaFutures.asScala(journal.replay(persistenceId, fromSequenceNr, toSequenceNr, max, replayCallback));
    }

    @Override
    public Future<Long> doAsyncReadHighestSequenceNr(String persistenceId, long fromSequenceNr) {
        return ScalaFutures.asScala(
                withoutEvents
                        ? journal.highestSeqNr(persistenceId, entity())
                        : journal.highestSeqNr(persistenceId, fromSequenceNr, entity()));
    }

    /** Who recovers and writes: the sender of the message that this actor is handling. */
    private Object entity() {
        ActorRef sender = sender();
        return sender == null || sender.equals(context().system().deadLetters()) ? new Object() : sender;
    }
}
