package io.dynajournal.journal;

import akka.persistence.AtomicWrite;
import akka.persistence.PersistentRepr;
import io.dynajournal.Gate;
import io.dynajournal.OpenedJournal;
import io.dynajournal.WriteNews;
import io.dynajournal.model.SeqRange;
import io.dynajournal.model.StoredEvent;
import io.dynajournal.store.EventJournal;
import io.dynajournal.store.HandOver;
import io.dynajournal.toolkit.EventSerde;
import io.dynajournal.toolkit.Stages;
import io.dynajournal.toolkit.Turns;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;
import scala.jdk.javaapi.CollectionConverters;

/** The core's journal in terms of the toolkit's messages. No method throws or blocks. */
final class SerializedJournal {

    private final Gate<OpenedJournal> gate;
    private final EventSerde serde;
    private final WriteNews news;
    private final Executor others;
    private final Executor sending;
    private final Turns turns = new Turns();

    /**
     * Makes one; no request is made.
     *
     * @param others where writes are serialized and requests are made when they come fast. All entities share the journal's
     *     actor: on its one thread signing and encoding would bound what all of them can write
     */
    SerializedJournal(Gate<OpenedJournal> gate, EventSerde serde, WriteNews news, Executor others) {
        this.gate = gate;
        this.serde = serde;
        this.news = news;
        this.others = others;
        this.sending = new HandOver(others);
    }

    /**
     * Stores the writes. One that cannot be serialized or is too large for the table is rejected: its exception is in the
     * answer, and nothing of it is sent. Any other failure fails the stage.
     *
     * @param writer who writes; the {@code reader} of {@link #highestSeqNr}
     * @return for each write its rejection; empty if there is none
     */
    CompletionStage<List<Optional<Exception>>> write(List<AtomicWrite> writes, Object writer) {
        // The turn is taken here and now; only what is done in it may happen elsewhere.
        Thread journal = Thread.currentThread();
        return Stages.inOrder(
                        sameId(writes),
                        run -> turns.next(
                                run.get(0).persistenceId(),
                                () -> CompletableFuture.supplyAsync(() -> store(run, writer), storing(journal))
                                        .thenCompose(stored -> stored)))
                .thenApply(SerializedJournal::answers);
    }

    /** A turn may come with the answer to the write before, on a thread of the client: no place for a user's serializer. */
    private Executor storing(Thread journal) {
        return Thread.currentThread().equals(journal) ? sending : others;
    }

    private CompletionStage<List<SerializedWrite>> store(List<AtomicWrite> writes, Object writer) {
        BatchedWrites batches =
                new BatchedWrites(batch -> gate.use(journal -> journal.events().append(batch, writer))
                        .thenRun(() -> news.written(batch.persistenceId())));
        return Stages.inOrder(writes, this::serialized).thenCompose(batches::store);
    }

    private CompletionStage<SerializedWrite> serialized(AtomicWrite write) {
        return Stages.inOrder(CollectionConverters.asJava(write.payload()), serde::event)
                .handle((events, failure) -> SerializedWrite.of(write, events, failure));
    }

    private static List<Optional<Exception>> answers(List<List<SerializedWrite>> runs) {
        List<Optional<Exception>> rejections = new ArrayList<>();
        boolean any = false;
        for (List<SerializedWrite> run : runs) {
            for (SerializedWrite write : run) {
                rejections.add(write.rejection());
                any |= write.rejection().isPresent();
            }
        }
        // The toolkit takes an empty answer for a success of all.
        return any ? rejections : List.of();
    }

    /** The toolkits send writes of one entity at a time; nothing in their contract promises that. */
    private static List<List<AtomicWrite>> sameId(List<AtomicWrite> writes) {
        List<List<AtomicWrite>> runs = new ArrayList<>();
        for (AtomicWrite write : writes) {
            List<AtomicWrite> last = runs.isEmpty() ? List.of() : runs.get(runs.size() - 1);
            if (last.isEmpty() || !last.get(0).persistenceId().equals(write.persistenceId())) {
                last = new ArrayList<>();
                runs.add(last);
            }
            last.add(write);
        }
        return runs;
    }

    /**
     * The highest number of an entity that goes on to read its events.
     *
     * @param from one below where the replay will start: so the toolkits ask
     * @param reader who asks
     */
    CompletionStage<Long> highestSeqNr(String persistenceId, long from, Object reader) {
        long replayFrom = Math.max(0, from) + 1;
        return quietly(persistenceId, journal -> journal.highestSeqNr(persistenceId, replayFrom, reader));
    }

    /** The highest number of an entity that recovers without its events. */
    CompletionStage<Long> highestSeqNr(String persistenceId, Object reader) {
        return quietly(persistenceId, journal -> journal.highestSeqNr(persistenceId, reader));
    }

    private CompletionStage<Long> quietly(String persistenceId, Function<EventJournal, CompletionStage<Long>> asked) {
        return turns.quiet(persistenceId)
                .thenComposeAsync(quiet -> gate.use(journal -> asked.apply(journal.events())), sending);
    }

    CompletionStage<Void> replay(
            String persistenceId, long from, long to, long max, Consumer<PersistentRepr> consumer) {
        SeqRange range = SeqRange.wholeWrites(Math.max(1, from), to, max);
        return gate.use(journal ->
                journal.events().replay(persistenceId, range, page -> handOver(page, consumer, journal.replays())));
    }

    /** The client's threads must get back to the network: user code runs elsewhere. */
    private CompletionStage<Void> handOver(
            List<StoredEvent> page, Consumer<PersistentRepr> consumer, Executor executor) {
        return CompletableFuture.supplyAsync(
                        () -> Stages.inOrder(page, event -> serde.repr(event).thenAccept(consumer)), executor)
                .thenCompose(handing -> handing)
                .thenAccept(handed -> {});
    }

    CompletionStage<Void> deleteTo(String persistenceId, long toSeqNr) {
        return gate.use(journal -> journal.events().deleteTo(persistenceId, toSeqNr));
    }
}
