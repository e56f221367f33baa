package io.dynajournal.journal;

import akka.persistence.AtomicWrite;
import akka.persistence.PersistentRepr;
import io.dynajournal.exception.StoreException.ItemTooLarge;
import io.dynajournal.internal.model.Event;
import io.dynajournal.internal.model.EventBatch;
import io.dynajournal.internal.model.SeqRange;
import io.dynajournal.internal.model.StoredEvent;
import io.dynajournal.internal.plugin.OpenedJournal;
import io.dynajournal.internal.plugin.PluginStartup;
import io.dynajournal.internal.plugin.RejectedWrites;
import io.dynajournal.internal.plugin.WriteNotifications;
import io.dynajournal.internal.store.EventJournal;
import io.dynajournal.internal.store.Stages;
import io.dynajournal.internal.toolkit.EventSerde;
import io.dynajournal.internal.toolkit.EventTraces;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;
import scala.jdk.javaapi.CollectionConverters;

/** The core's journal for the toolkit's objects: serializes what is written, deserializes what is replayed. Thread-safe. */
final class SerializingJournal {

    private final PluginStartup<OpenedJournal> startup;
    private final EventSerde serde;
    private final EventTraces traces;
    private final WriteNotifications notifications;
    private final RejectedWrites rejectedWrites;

    /** Makes no request. */
    SerializingJournal(
            PluginStartup<OpenedJournal> startup,
            EventSerde serde,
            EventTraces traces,
            WriteNotifications notifications,
            RejectedWrites rejectedWrites) {
        this.startup = startup;
        this.serde = serde;
        this.traces = traces;
        this.notifications = notifications;
        this.rejectedWrites = rejectedWrites;
    }

    /**
     * Stores atomic writes. One that cannot be serialized or is too large for the table is rejected, and nothing of it is
     * sent. Any other failure fails the stage; then the entity must recover to learn what was stored.
     *
     * @param entity who writes; the same object as in {@link #highestSeqNr}
     * @return for each write its rejection, if it has one; an empty list if all were stored
     */
    CompletionStage<List<Optional<Exception>>> write(List<AtomicWrite> writes, Object entity) {
        // Traced here, because the trace context is that of the thread that receives the write.
        return Stages.inOrder(byWriter(traces.traced(writes)), ofOneWriter -> store(ofOneWriter, entity))
                .thenApply(SerializingJournal::rejections);
    }

    /** The toolkits send the writes of one entity in one message, but do not guarantee it. */
    private static List<List<AtomicWrite>> byWriter(List<AtomicWrite> writes) {
        List<List<AtomicWrite>> groups = new ArrayList<>();
        List<AtomicWrite> group = List.of();
        for (AtomicWrite write : writes) {
            if (group.isEmpty() || !isSameWriter(group.get(0), write)) {
                group = new ArrayList<>();
                groups.add(group);
            }
            group.add(write);
        }
        return groups;
    }

    private static boolean isSameWriter(AtomicWrite one, AtomicWrite other) {
        return one.persistenceId().equals(other.persistenceId()) && writer(one).equals(writer(other));
    }

    private static String writer(AtomicWrite write) {
        return write.payload().head().writerUuid();
    }

    private CompletionStage<List<Optional<Exception>>> store(List<AtomicWrite> writes, Object entity) {
        String persistenceId = writes.get(0).persistenceId();
        String writer = writer(writes.get(0));
        CompletableFuture<List<SerializedWrite>> serialized = new CompletableFuture<>();
        CompletionStage<List<ItemTooLarge>> stored = startup.use(journal -> journal.events()
                .write(persistenceId, writer, entity, () -> batches(journal, writes, serialized))
                // A write that failed may never have been serialized.
                .thenCompose(tooLarge -> serialized.thenApply(all -> {
                    noteRejection(journal.events(), all.get(all.size() - 1));
                    return tooLarge;
                })));
        return stored.thenCompose(tooLarge -> serialized.thenApply(all -> {
            List<Optional<Exception>> rejections =
                    all.stream().map(write -> write.rejection(tooLarge)).toList();
            for (int i = 0; i < all.size(); i++) {
                note(writes.get(i), entity, rejections.get(i).isPresent());
            }
            if (rejections.stream().anyMatch(Optional::isEmpty)) {
                notifications.written(persistenceId);
            }
            return rejections;
        }));
    }

    /** Before the entity gets its reply, after which it may save a snapshot. */
    private void note(AtomicWrite write, Object entity, boolean rejected) {
        if (rejected) {
            rejectedWrites.rejected(write.persistenceId(), entity, write.lowestSequenceNr(), write.highestSequenceNr());
        } else {
            rejectedWrites.stored(write.persistenceId(), entity, write.highestSequenceNr());
        }
    }

    /** Notes writes that were rejected before they came here: an event adapter failed. */
    void rejected(List<AtomicWrite> writes, Object entity) {
        writes.forEach(write -> note(write, entity, true));
        byWriter(writes)
                .forEach(ofOneWriter -> startup.use(journal -> {
                    journal.events().rejected(ofOneWriter.get(0).persistenceId(), writer(ofOneWriter.get(0)));
                    return CompletableFuture.completedFuture(null);
                }));
    }

    private CompletionStage<List<EventBatch>> batches(
            OpenedJournal journal, List<AtomicWrite> writes, CompletableFuture<List<SerializedWrite>> serialized) {
        Function<PersistentRepr, CompletionStage<Event>> event =
                journal.reads().tagsInPayloads() ? serde::eventWithTagsInside : serde::event;
        return Stages.inOrder(writes, write -> serialize(write, event)).thenApply(all -> {
            noteRejection(journal.events(), all.get(0));
            serialized.complete(all);
            return SerializedWrite.batches(all);
        });
    }

    /** The first and the last write of a message count; between them, what is stored shows where this writer is. */
    private static void noteRejection(EventJournal journal, SerializedWrite write) {
        if (write.rejection().isPresent()) {
            journal.rejected(write.persistenceId(), write.writer());
        }
    }

    private static CompletionStage<SerializedWrite> serialize(
            AtomicWrite write, Function<PersistentRepr, CompletionStage<Event>> event) {
        return Stages.guarded(() -> Stages.inOrder(CollectionConverters.asJava(write.payload()), event))
                .handle((events, failure) -> SerializedWrite.of(write, events, failure));
    }

    private static List<Optional<Exception>> rejections(List<List<Optional<Exception>>> groups) {
        List<Optional<Exception>> all = new ArrayList<>();
        groups.forEach(all::addAll);
        return all.stream().allMatch(Optional::isEmpty) ? List.of() : all;
    }

    /**
     * The highest sequence number of an entity that replays its events next.
     *
     * @param from one below the first sequence number of the replay, as the toolkits ask
     * @param entity who recovers
     */
    CompletionStage<Long> highestSeqNr(String persistenceId, long from, Object entity) {
        long replayFrom = Math.max(0, from) + 1;
        return startup.use(persistenceId, journal -> journal.events().highestSeqNr(persistenceId, replayFrom, entity));
    }

    /** The highest sequence number of an entity that recovers without its events. */
    CompletionStage<Long> highestSeqNr(String persistenceId, Object entity) {
        return startup.use(persistenceId, journal -> journal.events().highestSeqNr(persistenceId, entity));
    }

    /** Hands the events of a range to the consumer, one after another, on the replay dispatcher. */
    CompletionStage<Void> replay(
            String persistenceId, long from, long to, long max, Consumer<PersistentRepr> consumer) {
        SeqRange range = SeqRange.wholeWrites(Math.max(1, from), to, max);
        return startup.use(journal ->
                journal.events().replay(persistenceId, range, page -> deserialize(page, consumer, journal.replays())));
    }

    private CompletionStage<Void> deserialize(
            List<StoredEvent> page, Consumer<PersistentRepr> consumer, Executor executor) {
        return CompletableFuture.supplyAsync(
                        () -> Stages.inOrder(page, event -> serde.repr(event).thenAccept(consumer)), executor)
                .thenCompose(consumed -> consumed)
                .thenAccept(consumed -> {});
    }

    CompletionStage<Void> deleteTo(String persistenceId, long toSeqNr) {
        return startup.use(journal -> journal.events().deleteTo(persistenceId, toSeqNr));
    }
}
