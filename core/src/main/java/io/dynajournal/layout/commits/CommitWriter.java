package io.dynajournal.layout.commits;

import io.dynajournal.dynamo.Dynamo;
import io.dynajournal.dynamo.Item;
import io.dynajournal.dynamo.ItemSize;
import io.dynajournal.model.Event;
import io.dynajournal.model.EventBatch;
import io.dynajournal.model.Payload;
import io.dynajournal.model.Slices;
import io.dynajournal.store.LogEnd;
import io.dynajournal.store.StoreException;
import io.dynajournal.store.WritePlace;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Appends commits.
 *
 * <p>The key of a commit is the end of the last commit that its writer has read or written, plus one. Keys are therefore
 * contiguous, and whoever covers a number starts at the number it saw as next: two writers with the same view meet at the
 * same key, and {@code attribute_not_exists} is all the fence there is. The key never comes from the entity's number alone:
 * a rejected event uses up a number without a commit, and the next commit covers it by {@code skip}.
 */
final class CommitWriter {

    /** A head is not put when its parts are older: a sweeper may be about to take them for leftovers. */
    private static final long PARTS_FRESH_NANOS = Duration.ofMinutes(5).toNanos();

    private final Dynamo dynamo;
    private final CommitsJournal settings;
    private final Parts parts;
    private final CommitReader reader;
    private final CommitsRegistry registry;

    CommitWriter(Dynamo dynamo, CommitsJournal settings, Parts parts, CommitReader reader, CommitsRegistry registry) {
        this.dynamo = dynamo;
        this.settings = settings;
        this.parts = parts;
        this.reader = reader;
        this.registry = registry;
    }

    CompletionStage<LogEnd> append(EventBatch batch, @Nullable LogEnd seen) {
        WriterId writer = WriterId.of(batch.writer());
        // A stub stops a stale writer only as long as it lives, so a view may not come near to that age.
        long freshSince = dynamo.nowMicros() / 1000 - settings.stubLife().toMillis() / 2;
        return new WritePlace(batch, writer.toString(), seen)
                .find(freshSince, () -> reader.end(batch.persistenceId()))
                .thenCompose(last -> registry.partitions(Slices.entityType(batch.persistenceId()), last.seqNr() == 0)
                        .thenCompose(partitions -> putAll(pack(batch), 0, writer, last, partitions)));
    }

    private CompletionStage<LogEnd> putAll(
            List<EventBatch> commits, int index, WriterId writer, LogEnd last, int partitions) {
        return index == commits.size()
                ? CompletableFuture.completedFuture(last)
                : put(commits.get(index), writer, last, partitions)
                        .thenCompose(end -> putAll(commits, index + 1, writer, end, partitions));
    }

    private CompletionStage<LogEnd> put(EventBatch batch, WriterId writer, LogEnd last, int partitions) {
        Item head = CommitItems.commit(batch, writer, last, dynamo.nowMicros(), partitions);
        PayloadFit fit =
                PayloadFit.of(head, CommitFrame.encode(batch.writes()), settings.itemSize(), settings.compression());
        if (!fit.inParts()) {
            head.bytes(CommitItems.payloadName(head, fit.bytes().length), fit.bytes());
            return putHead(batch, head);
        }
        long started = System.nanoTime();
        return parts.write(head, fit.bytes()).thenCompose(stored -> {
            if (System.nanoTime() - started > PARTS_FRESH_NANOS) {
                throw new StoreException.Unavailable(
                        "The parts of " + batch.persistenceId() + " at " + batch.firstSeqNr()
                                + " took longer than five minutes; their commit is not stored",
                        null);
            }
            return putHead(batch, head);
        });
    }

    private CompletionStage<LogEnd> putHead(EventBatch batch, Item head) {
        CommitItems.Entry ours = CommitItems.entry(head);
        return dynamo.insert(settings.tableName(), head, CommitItems.PID).thenCompose(refusal -> {
            LogEnd end = ours.logEnd(dynamo.nowMicros() / 1000);
            if (refusal.isEmpty()) {
                return CompletableFuture.completedFuture(end);
            }
            CommitItems.Entry there = CommitItems.entry(refusal.get());
            if (there.isOwn(ours)) {
                return CompletableFuture.completedFuture(end);
            }
            return parts.delete(head).thenApply(deleted -> {
                throw conflict(batch, there.writer().toString(), "Its commit has the key " + there.seq() + ".");
            });
        });
    }

    private static StoreException.WriteConflict conflict(EventBatch batch, String other, String detail) {
        return new StoreException.WriteConflict(
                batch.persistenceId(),
                batch.firstSeqNr(),
                WriterId.of(batch.writer()).toString(),
                other,
                detail);
    }

    /**
     * Atomic writes go into one commit while they fit into an item. Parts cost a unit and a round trip more, so only a
     * write that is too large by itself gets them.
     */
    private List<EventBatch> pack(EventBatch batch) {
        List<EventBatch> commits = new ArrayList<>();
        List<List<Event>> packed = new ArrayList<>();
        long first = batch.firstSeqNr();
        long number = first;
        int room = settings.itemSize() - CommitsJournal.MIN_ITEM_SIZE / 2 - ItemSize.utf8(batch.persistenceId());
        int size = 0;
        for (List<Event> write : batch.writes()) {
            int more = upperSize(write);
            if (!packed.isEmpty() && size + more > room) {
                commits.add(new EventBatch(batch.persistenceId(), batch.writer(), first, packed));
                packed = new ArrayList<>();
                first = number;
                size = 0;
            }
            packed.add(write);
            size = (int) Math.min(Integer.MAX_VALUE / 2, (long) size + more);
            number += write.size();
        }
        commits.add(new EventBatch(batch.persistenceId(), batch.writer(), first, packed));
        return commits;
    }

    private static int upperSize(List<Event> write) {
        long size = 0;
        for (Event event : write) {
            size += CommitFrame.EVENT_OVERHEAD + upperSize(event.payload());
            if (event.metadata() != null) {
                size += upperSize(event.metadata());
            }
            size += event.adapterManifest().length() * 3L;
            for (String tag : event.tags()) {
                size += tag.length() * 6L + 8;
            }
        }
        return (int) Math.min(Integer.MAX_VALUE / 2, size);
    }

    private static long upperSize(Payload payload) {
        return payload.bytes().length + payload.manifest().length() * 3L;
    }
}
