package io.dynajournal.layout.akka1;

import io.dynajournal.dynamo.Dynamo;
import io.dynajournal.dynamo.Item;
import io.dynajournal.layout.akka1.Akka1Items.Entry;
import io.dynajournal.model.Event;
import io.dynajournal.model.EventBatch;
import io.dynajournal.model.StoredEvent;
import io.dynajournal.store.LogEnd;
import io.dynajournal.store.Pages;
import io.dynajournal.store.StoreException;
import io.dynajournal.store.WritePlace;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;

/**
 * Writes events.
 *
 * <p><b>One event</b> is one conditional put: whoever comes second to a number is refused. It costs what the predecessor's
 * unconditional one does.
 *
 * <p><b>Several events</b> cost what the predecessor pays, in three steps instead of one: the first item under a condition,
 * then those between without one, then the last under a condition. Readers, theirs and ours, show a write only when all
 * its members are there, so the last item makes it visible and nothing is seen of it before.
 *
 * <ul>
 *   <li><i>The first item first</i>, because it is the fence. If the others went first, two writers of the same numbers
 *       would mix their members, and members could replace single events of a writer that is further on.
 *   <li><i>The last item last, and conditional</i>, because its writer may be slow and not dead. Whoever recovers meanwhile
 *       sees a write under way, does not replay it, and goes on with the number of its last item: one of the two gets it,
 *       the other is refused. So a write that a recovery has not seen never appears later.
 *   <li>After a crash in between, the beginning stays behind; no reader shows it, and its numbers are not used again.
 * </ul>
 *
 * <p><b>Rejected numbers.</b> A writer whose last number was rejected leaves a hole and would pass by a writer that it has
 * not seen. Therefore it first takes the hole by a reservation, which is to all readers the beginning of a write that was
 * not finished. It costs one unit more, after a rejection only.
 *
 * <p><b>High marks</b> are written when the log reaches another partition, before the event that a reader finds by them:
 * a mark may promise too much and never too little. Where a recovery has found that marks are missing, the next write
 * repairs them.
 *
 * <p>A number that was deleted has no item to stop a writer that is behind. A delete of everything leaves a reservation at
 * the last number; for the others a view is trusted for an hour and then compared with the table.
 *
 * <p>The format has no room for tags and for the metadata of replicated events. The predecessor cannot serialize the first
 * and forgets the second, which makes the events unusable; here both are refused before anything is sent.
 */
final class Akka1Writer {

    private static final long VIEW_LIFE_MILLIS = Duration.ofHours(1).toMillis();

    private final Dynamo dynamo;
    private final Akka1Journal settings;
    private final Akka1Keys keys;
    private final Akka1Marks marks;
    private final Akka1Reader reader;
    private final Akka1LostMarks lostMarks;

    Akka1Writer(Dynamo dynamo, Akka1Journal settings, Akka1Marks marks, Akka1Reader reader, Akka1LostMarks lostMarks) {
        this.dynamo = dynamo;
        this.settings = settings;
        this.keys = settings.keys();
        this.marks = marks;
        this.reader = reader;
        this.lostMarks = lostMarks;
    }

    /** Fails before anything is sent if an event does not fit. */
    CompletionStage<LogEnd> append(EventBatch batch, @Nullable LogEnd seen) {
        List<List<Item>> writes = items(batch);
        CompletionStage<LogEnd> place = new WritePlace(batch, batch.writer(), seen)
                .find(
                        dynamo.nowMicros() / 1000 - VIEW_LIFE_MILLIS,
                        () -> reader.tail(batch.persistenceId()).thenApply(Akka1Reader.Tail::end));
        return place.thenCompose(last -> {
            AtomicReference<LogEnd> end = new AtomicReference<>(last);
            return Pages.drain(
                            0,
                            index -> index == writes.size()
                                    ? CompletableFuture.completedFuture(null)
                                    : write(batch, writes.get(index), Objects.requireNonNull(end.get()))
                                            .thenApply(written -> {
                                                end.set(written);
                                                return index + 1;
                                            }))
                    .thenApply(done -> end.get());
        });
    }

    private List<List<Item>> items(EventBatch batch) {
        List<List<Item>> writes = new ArrayList<>();
        long seqNr = batch.firstSeqNr();
        for (List<Event> write : batch.writes()) {
            List<Item> items = new ArrayList<>(write.size());
            for (Event event : write) {
                StoredEvent stored = new StoredEvent(batch.persistenceId(), seqNr++, 0, batch.writer(), event);
                items.add(item(stored, items.size(), write.size() - 1));
            }
            writes.add(items);
        }
        return writes;
    }

    private Item item(StoredEvent stored, int index, int last) {
        Event event = stored.event();
        if (!event.tags().isEmpty() || event.metadata() != null) {
            throw new StoreException.Refused(
                    "Number " + stored.seqNr() + " of " + stored.persistenceId() + " has "
                            + (event.tags().isEmpty() ? "metadata of a replicated event" : "tags")
                            + ", and the layout of table " + settings.tableName() + " (akka1) has no room for them.",
                    null);
        }
        Item item = Akka1Items.event(settings.keys(), stored, index, last);
        if (item.size() > settings.maxItemSize()) {
            throw new StoreException.ItemTooLarge(
                    settings.tableName(), stored.persistenceId(), stored.seqNr(), item.size(), settings.maxItemSize());
        }
        return item;
    }

    private CompletionStage<LogEnd> write(EventBatch batch, List<Item> items, LogEnd last) {
        String persistenceId = batch.persistenceId();
        long first = items.get(0).number(Akka1Items.SEQ);
        long high = first + items.size() - 1;
        boolean marked =
                Akka1Keys.partition(last.seqNr()) == Akka1Keys.partition(high) && !lostMarks.contains(persistenceId);
        return reserve(batch, last.seqNr() + 1, first)
                .thenCompose(fenced -> items.size() == 1
                        ? mark(persistenceId, high, marked).thenCompose(done -> put(batch, items.get(0)))
                        : put(batch, items.get(0))
                                .thenCompose(done -> mark(persistenceId, high, marked))
                                .thenCompose(
                                        done -> dynamo.putAll(settings.tableName(), items.subList(1, items.size() - 1)))
                                .thenCompose(done -> put(batch, items.get(items.size() - 1))))
                .thenApply(stored -> new LogEnd(high, 0, batch.writer(), dynamo.nowMicros() / 1000));
    }

    /** Takes the numbers before {@code first} that were rejected, if there are any. */
    private CompletionStage<Void> reserve(EventBatch batch, long from, long first) {
        return from == first
                ? CompletableFuture.completedFuture(null)
                : put(batch, Akka1Items.reservation(keys, batch.persistenceId(), from, first, batch.writer()));
    }

    private CompletionStage<Void> mark(String persistenceId, long seqNr, boolean marked) {
        return marked
                ? CompletableFuture.completedFuture(null)
                : marks.raiseHigh(persistenceId, seqNr).thenRun(() -> lostMarks.note(persistenceId, false));
    }

    private CompletionStage<Void> put(EventBatch batch, Item item) {
        return dynamo.putIf(PutItemRequest.builder()
                        .tableName(settings.tableName())
                        .item(item.attributes())
                        .conditionExpression("attribute_not_exists(par)"))
                .thenAccept(refusal -> {
                    if (refusal.isPresent() && !isOwn(refusal.get(), item)) {
                        long seqNr = item.number(Akka1Items.SEQ);
                        Entry there = Akka1Items.entry(refusal.get(), Akka1Keys.partition(seqNr));
                        throw new StoreException.WriteConflict(
                                batch.persistenceId(),
                                batch.firstSeqNr(),
                                batch.writer(),
                                there.writer(),
                                "Number " + seqNr + " is taken.");
                    }
                });
    }

    /** Whether our own earlier attempt stands there, or what a delete has made of it since. */
    private static boolean isOwn(Item there, Item ours) {
        if (there.attributes().equals(ours.attributes())) {
            return true;
        }
        return !there.has(Akka1Items.EVENT)
                && !there.has(Akka1Items.PAY)
                && ours.has(Akka1Items.EVENT)
                && there.text(Akka1Items.WRITER).equals(ours.text(Akka1Items.WRITER));
    }
}
