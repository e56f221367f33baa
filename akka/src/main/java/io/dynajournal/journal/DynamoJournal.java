package io.dynajournal.journal;

import akka.actor.ActorRef;
import akka.actor.ActorSystem;
import akka.persistence.AtomicWrite;
import akka.persistence.JournalProtocol;
import akka.persistence.PersistentRepr;
import akka.persistence.journal.japi.AsyncWriteJournal;
import com.typesafe.config.Config;
import io.dynajournal.Dynajournal;
import io.dynajournal.toolkit.EventSerde;
import io.dynajournal.toolkit.PayloadSerde;
import io.dynajournal.toolkit.Stages;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import scala.PartialFunction;
import scala.concurrent.Future;
import scala.runtime.BoxedUnit;

/**
 * The journal plugin; settings name it as {@code class}. If it cannot start, because a setting or its table is wrong, it
 * says so once in the log and fails every request with that message, so that entities do not wait for a time-out.
 */
public final class DynamoJournal extends AsyncWriteJournal {

    private final SerializedJournal journal;

    /** Whether the message at hand is of an entity that recovers without its events. */
    private boolean onlyHighest;

    public DynamoJournal(Config config, String path) {
        ActorSystem system = context().system();
        this.journal = new SerializedJournal(
                Dynajournal.get(system).journal(config, path),
                new EventSerde(new PayloadSerde(system)),
                Dynajournal.get(system).news(path),
                system.dispatcher());
    }

    /** Before a replay the highest number is asked for, which does not tell whether events will be: the message does. */
    @Override
    public void aroundReceive(PartialFunction<Object, BoxedUnit> receive, Object message) {
        onlyHighest = message instanceof JournalProtocol.ReplayMessages replay
                && (replay.toSequenceNr() < replay.fromSequenceNr() || replay.max() <= 0);
        super.aroundReceive(receive, message);
    }

    @Override
    public Future<Iterable<Optional<Exception>>> doAsyncWriteMessages(Iterable<AtomicWrite> messages) {
        List<AtomicWrite> writes = new ArrayList<>();
        messages.forEach(writes::add);
        return Stages.asScala(journal.write(writes, entity()).thenApply(answers -> answers));
    }

    @Override
    public Future<Void> doAsyncDeleteMessagesTo(String persistenceId, long toSequenceNr) {
        return Stages.asScala(journal.deleteTo(persistenceId, toSequenceNr));
    }

    @Override
    public Future<Void> doAsyncReplayMessages(
            String persistenceId,
            long fromSequenceNr,
            long toSequenceNr,
            long max,
            Consumer<PersistentRepr> replayCallback) {
        return Stages.asScala(journal.replay(persistenceId, fromSequenceNr, toSequenceNr, max, replayCallback));
    }

    @Override
    public Future<Long> doAsyncReadHighestSequenceNr(String persistenceId, long fromSequenceNr) {
        return Stages.asScala(
                onlyHighest
                        ? journal.highestSeqNr(persistenceId, entity())
                        : journal.highestSeqNr(persistenceId, fromSequenceNr, entity()));
    }

    /** Who recovers and writes. The toolkits call on this actor's thread, while they handle the entity's message. */
    private Object entity() {
        ActorRef sender = sender();
        return sender == null || sender.equals(context().system().deadLetters()) ? new Object() : sender;
    }
}
