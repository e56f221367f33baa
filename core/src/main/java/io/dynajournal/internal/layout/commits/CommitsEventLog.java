package io.dynajournal.internal.layout.commits;

import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.dynamo.Item;
import io.dynajournal.internal.dynamo.ItemSize;
import io.dynajournal.internal.layout.commits.CommitFloor.Expiring;
import io.dynajournal.internal.layout.commits.CommitItems.Entry;
import io.dynajournal.internal.model.DeletedRange;
import io.dynajournal.internal.model.Event;
import io.dynajournal.internal.model.EventBatch;
import io.dynajournal.internal.model.Payload;
import io.dynajournal.internal.model.SeqRange;
import io.dynajournal.internal.model.Slices;
import io.dynajournal.internal.store.AppendPosition;
import io.dynajournal.internal.store.EventLog;
import io.dynajournal.internal.store.EventPage;
import io.dynajournal.internal.store.LogEnd;
import io.dynajournal.internal.store.LogHead;
import io.dynajournal.internal.store.PageToken;
import io.dynajournal.listener.Lane;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The native event log. It appends commits; {@link CommitReader} reads them and {@link CommitDeleter} deletes them.
 *
 * <p>The key of a commit is the end of the last commit that its writer has read or written, plus one. Keys are therefore
 * contiguous, and two writers with the same view of the log meet at the same key: the condition {@code attribute_not_exists}
 * on that key is all that fences off the second one. The key is never derived from the entity's sequence number: a rejected
 * event uses up a sequence number without a commit, and the next commit covers it as skipped.
 */
final class CommitsEventLog implements EventLog {

    /** Room that packing leaves for the keys and small attributes of a commit. */
    private static final int HEAD_ROOM_BYTES = CommitsJournal.MIN_ITEM_SIZE / 2;

    private final Dynamo dynamo;
    private final CommitsJournal settings;
    private final Parts parts;
    private final CommitReader reader;
    private final CommitReader endReader;
    private final CommitDeleter deleter;
    private final CommitsRegistry registry;
    private final CommitFloor floor;

    CommitsEventLog(Dynamo dynamo, CommitsJournal settings) {
        this.dynamo = dynamo.forWrites();
        this.settings = settings;
        this.parts = new Parts(this.dynamo, settings.tableName(), settings.itemSize());
        this.floor = new CommitFloor(this.dynamo, settings.tableName());
        this.registry = new CommitsRegistry(this.dynamo, settings.tableName(), settings.indexPartitions());
        this.deleter = new CommitDeleter(dynamo.in(Lane.MAINTENANCE), settings, floor);
        // A recovery that completes a delete, and a write that needs the end of the log, wait for what they read.
        this.reader = reader(dynamo.in(Lane.RECOVERY));
        this.endReader = reader(this.dynamo);
    }

    private CommitReader reader(Dynamo lane) {
        return new CommitReader(lane, settings, new CommitDeleter(lane, settings, floor));
    }

    @Override
    public CompletionStage<LogHead> head(String persistenceId, long from) {
        return ReservedIds.guarded(persistenceId, () -> {
            floor.forget(persistenceId);
            return reader.head(persistenceId, from);
        });
    }

    @Override
    public CompletionStage<LogEnd> end(String persistenceId) {
        return ReservedIds.guarded(persistenceId, () -> reader.end(persistenceId));
    }

    @Override
    public CompletionStage<EventPage> read(String persistenceId, SeqRange range, @Nullable PageToken start) {
        return ReservedIds.guarded(persistenceId, () -> reader.read(persistenceId, range, (CommitCursor) start));
    }

    @Override
    public boolean noticesDeletes() {
        return true;
    }

    @Override
    public CompletionStage<Void> deleteTo(String persistenceId, long toSeqNr) {
        return ReservedIds.guarded(persistenceId, () -> deleter.deleteTo(persistenceId, toSeqNr));
    }

    @Override
    public CompletionStage<Void> removeTo(String persistenceId, long toSeqNr) {
        return ReservedIds.guarded(persistenceId, () -> deleter.removeTo(persistenceId, toSeqNr));
    }

    @Override
    public CompletionStage<Void> expireTo(String persistenceId, long toSeqNr, long expirySeconds, boolean reset) {
        return ReservedIds.guarded(
                persistenceId, () -> deleter.expireTo(persistenceId, toSeqNr, expirySeconds, true, reset));
    }

    @Override
    public CompletionStage<Void> reset(String persistenceId) {
        return ReservedIds.guarded(persistenceId, () -> deleter.reset(persistenceId));
    }

    @Override
    public CompletionStage<LogEnd> append(EventBatch batch, @Nullable LogEnd seen) {
        return ReservedIds.guarded(batch.persistenceId(), () -> appendAfter(batch, seen));
    }

    /** One tombstone covers them, so it may leave commits below it: nothing below a tombstone is read. */
    @Override
    public CompletionStage<LogEnd> markDeleted(DeletedRange deleted, LogEnd seen) {
        return ReservedIds.guarded(deleted.persistenceId(), () -> {
            Item item = CommitItems.tombstone(deleted, WriterId.of(deleted.writer()), seen, dynamo.nowMicros());
            Entry ours = CommitItems.entry(settings.tableName(), item);
            return dynamo.insert(settings.tableName(), item, ItemKey.PID, ItemKey.SEQ)
                    .thenApply(existing -> {
                        Entry stored = CommitItems.entry(settings.tableName(), existing.orElse(item));
                        if (!stored.isTombstone() || stored.end() != ours.end()) {
                            throw conflict(deleted.persistenceId(), ours.key(), ours, stored);
                        }
                        return stored.logEnd(dynamo.nowMicros() / 1000);
                    });
        });
    }

    private CompletionStage<LogEnd> appendAfter(EventBatch batch, @Nullable LogEnd seen) {
        WriterId writer = WriterId.of(batch.writer());
        return new AppendPosition(batch, writer.toString(), seen)
                .find(freshSinceMillis(batch, seen), () -> endReader.end(batch.persistenceId()))
                .thenCompose(last -> registry.partitionsForWrite(Slices.entityType(batch.persistenceId()))
                        .thenCompose(partitions -> closeUnused(batch, writer, last)
                                .thenCompose(end -> putAndReserve(batch, pack(batch), writer, end, partitions))));
    }

    /**
     * A writer that continues after the floor, because everything may have expired, leaves out sequence numbers. Another one may know
     * only the last item, which has not expired or was deleted: both meet at the key after it.
     */
    private CompletionStage<LogEnd> closeUnused(EventBatch batch, WriterId writer, LogEnd last) {
        if (last.storedSeqNr() >= last.seqNr()) {
            return CompletableFuture.completedFuture(last);
        }
        long expirySeconds =
                dynamo.nowMicros() / 1_000_000 + settings.tombstoneRetention().toSeconds();
        Item item = CommitItems.unused(batch.persistenceId(), writer, last, expirySeconds);
        Entry ours = CommitItems.entry(settings.tableName(), item);
        return dynamo.insert(settings.tableName(), item, ItemKey.PID, ItemKey.SEQ)
                .thenApply(existing -> {
                    Entry stored = CommitItems.entry(settings.tableName(), existing.orElse(item));
                    if (!stored.isTombstone() || !stored.isOwn(ours)) {
                        throw conflict(batch.persistenceId(), batch.firstSeqNr(), ours, stored);
                    }
                    return stored.logEnd(dynamo.nowMicros() / 1000);
                });
    }

    /**
     * A tombstone or a commit stops a stale writer until it expires, so a view must be much newer than that. The end of the log is
     * another one as soon as its last commit expires.
     */
    private long freshSinceMillis(EventBatch batch, @Nullable LogEnd seen) {
        long now = dynamo.nowMicros() / 1000;
        Duration life = life(batch);
        boolean expiresSoon = life != null
                && seen != null
                && seen.timestampMicros() > 0
                && seen.timestampMicros() / 1000 + life.toMillis()
                        < now + 2 * CommitsJournal.expiryMargin(life).toMillis();
        return expiresSoon
                ? Long.MAX_VALUE
                : now - settings.viewLifetime(batch.persistenceId()).toMillis();
    }

    /**
     * Raises the floor after the first commit, before anything is acknowledged. Before it, the floor would claim that commits have
     * expired which nobody has stored.
     */
    private CompletionStage<LogEnd> putAndReserve(
            EventBatch batch, List<EventBatch> commits, WriterId writer, LogEnd last, int partitions) {
        return put(commits.get(0), writer, last, partitions)
                .thenCompose(first -> reserve(batch, last, first)
                        .thenCompose(reserved -> putAll(commits, 1, writer, first, partitions)));
    }

    private @Nullable Duration life(EventBatch batch) {
        return settings.timeToLive().of(batch.persistenceId()).events();
    }

    private CompletionStage<Void> reserve(EventBatch batch, LogEnd last, LogEnd first) {
        Duration life = life(batch);
        return life == null
                ? CompletableFuture.completedFuture(null)
                : floor.reserve(
                        batch.persistenceId(),
                        last.seqNr() + 1,
                        batch.lastSeqNr(),
                        new Expiring(first.seqNr(), first.timestampMicros() / 1_000_000 + life.toSeconds()));
    }

    private CompletionStage<LogEnd> putAll(
            List<EventBatch> commits, int index, WriterId writer, LogEnd last, int partitions) {
        return index == commits.size()
                ? CompletableFuture.completedFuture(last)
                : put(commits.get(index), writer, last, partitions)
                        .thenCompose(end -> putAll(commits, index + 1, writer, end, partitions));
    }

    private CompletionStage<LogEnd> put(EventBatch batch, WriterId writer, LogEnd last, int partitions) {
        Item head = CommitItems.commit(batch, writer, last, batch.timeOr(dynamo.nowMicros()), partitions, life(batch));
        PayloadFit fit = PayloadFit.of(
                head,
                CommitFrame.encode(batch.writes()),
                (commit, inParts) -> CommitItems.covered(commit),
                settings.itemSize(),
                settings.compression());
        if (!fit.inParts()) {
            head.bytes(CommitItems.payloadName(head, fit.bytes().length), fit.bytes());
            return putHead(batch, head);
        }
        return parts.write(head, fit.bytes()).thenCompose(stored -> putHead(batch, head));
    }

    private CompletionStage<LogEnd> putHead(EventBatch batch, Item head) {
        Entry ours = CommitItems.entry(settings.tableName(), head);
        return dynamo.insert(settings.tableName(), head, ItemKey.PID, ItemKey.SEQ)
                .thenCompose(existing -> {
                    LogEnd end = ours.logEnd(dynamo.nowMicros() / 1000);
                    if (existing.isEmpty()) {
                        return CompletableFuture.completedFuture(end);
                    }
                    Entry other = CommitItems.entry(settings.tableName(), existing.get());
                    if (other.isOwn(ours)) {
                        return CompletableFuture.completedFuture(end);
                    }
                    // The rejection is definite, so these parts will never be read.
                    return parts.delete(head).thenApply(deleted -> {
                        throw conflict(batch.persistenceId(), batch.firstSeqNr(), ours, other);
                    });
                });
    }

    private StoreException.WriteConflict conflict(String persistenceId, long seqNr, Entry ours, Entry other) {
        return new StoreException.WriteConflict(
                persistenceId,
                seqNr,
                ours.writer().toString(),
                other.writer().toString(),
                "Its commit in table " + settings.tableName() + " covers the sequence numbers " + other.key() + " to "
                        + other.end() + ".");
    }

    /**
     * Puts atomic writes into one commit as long as they fit into one item. Parts cost one more unit and round trip, so only
     * an atomic write that is too large by itself gets them.
     */
    private List<EventBatch> pack(EventBatch batch) {
        List<EventBatch> commits = new ArrayList<>();
        List<List<Event>> packed = new ArrayList<>();
        long firstSeqNr = batch.firstSeqNr();
        long nextSeqNr = firstSeqNr;
        int roomBytes = settings.itemSize() - HEAD_ROOM_BYTES - ItemSize.utf8(batch.persistenceId());
        int packedBytes = 0;
        for (List<Event> write : batch.writes()) {
            int writeBytes = maxBytes(write);
            if (!packed.isEmpty() && packedBytes + writeBytes > roomBytes) {
                commits.add(batch.part(firstSeqNr, packed));
                packed = new ArrayList<>();
                firstSeqNr = nextSeqNr;
                packedBytes = 0;
            }
            packed.add(write);
            packedBytes = (int) Math.min(Integer.MAX_VALUE / 2, (long) packedBytes + writeBytes);
            nextSeqNr += write.size();
        }
        commits.add(batch.part(firstSeqNr, packed));
        return commits;
    }

    /** At least the encoded size: packing needs an upper bound, not the exact one. */
    private static int maxBytes(List<Event> write) {
        long bytes = 0;
        for (Event event : write) {
            bytes += CommitFrame.MAX_EVENT_OVERHEAD_BYTES + maxBytes(event.payload());
            if (event.metadata() != null) {
                bytes += maxBytes(event.metadata());
            }
            bytes += event.adapterManifest().length() * 3L;
            for (String tag : event.tags()) {
                bytes += tag.length() * 6L + 8;
            }
        }
        return (int) Math.min(Integer.MAX_VALUE / 2, bytes);
    }

    private static long maxBytes(Payload payload) {
        return payload.bytes().length + payload.manifest().length() * 3L;
    }
}
