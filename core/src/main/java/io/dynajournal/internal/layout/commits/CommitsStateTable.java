package io.dynajournal.internal.layout.commits;

import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.dynamo.Item;
import io.dynajournal.internal.model.Payload;
import io.dynajournal.internal.model.Slices;
import io.dynajournal.internal.model.StateChange;
import io.dynajournal.internal.model.StoredState;
import io.dynajournal.internal.store.LruMap;
import io.dynajournal.internal.store.PageToken;
import io.dynajournal.internal.store.PersistenceIds.IdPage;
import io.dynajournal.internal.store.Stages;
import io.dynajournal.internal.store.StateTable;
import io.dynajournal.listener.Lane;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.ScanRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * The native table of durable states: one item per persistence id, and parts for large states.
 *
 * <p>A write replaces the item on the condition that it still has the revision and timestamp that its writer saw. The
 * timestamp increases with every write of an id, so a reader of the index that has read up to a time has missed nothing
 * older. A writer that has neither read nor written the state before reads it first; an entity always has.
 */
final class CommitsStateTable implements StateTable {

    private static final int MAX_DELETE_ATTEMPTS = 3;

    /** How many persistence ids' last items are cached; another one costs a read before its next write. */
    private static final int MAX_CACHED_IDS = 100_000;

    /** What the write after an item needs of it: the condition, the tag, and the parts to delete. */
    private record Seen(long revision, long timestampMicros, String tag, Item parts) {}

    private final Dynamo dynamo;
    private final Dynamo maintenance;
    private final CommitsStates settings;
    private final WriterId writer;
    private final Parts parts;
    private final Parts deletedParts;
    private final StateReader reader;
    private final StateReader writeReader;
    private final StateReader maintenanceReader;
    private final CommitsRegistry registry;
    private final AtomicLong lastTimestampMicros = new AtomicLong();
    private final LruMap<String, Seen> seen = new LruMap<>(MAX_CACHED_IDS);

    CommitsStateTable(Dynamo dynamo, CommitsStates settings, WriterId writer) {
        this.dynamo = dynamo.forWrites();
        this.maintenance = dynamo.in(Lane.MAINTENANCE);
        this.settings = settings;
        this.writer = writer;
        this.parts = parts(this.dynamo);
        this.deletedParts = parts(maintenance);
        this.reader = new StateReader(dynamo, settings.tableName(), parts(dynamo));
        this.writeReader = new StateReader(this.dynamo, settings.tableName(), parts);
        this.maintenanceReader = new StateReader(maintenance, settings.tableName(), deletedParts);
        this.registry = new CommitsRegistry(this.dynamo, settings.tableName(), settings.indexPartitions());
    }

    private Parts parts(Dynamo lane) {
        return new Parts(lane, settings.tableName(), settings.itemSize());
    }

    @Override
    public CompletionStage<Optional<StoredState>> get(String persistenceId) {
        return ReservedIds.guarded(
                persistenceId, () -> reader.get(persistenceId, item -> remember(persistenceId, item)));
    }

    /** The item for a write. */
    private CompletionStage<Item> item(String persistenceId) {
        return item(writeReader, persistenceId);
    }

    private CompletionStage<Item> item(StateReader reader, String persistenceId) {
        return reader.head(persistenceId).thenApply(item -> {
            remember(persistenceId, item);
            return item;
        });
    }

    private void remember(String persistenceId, Item item) {
        if (item.isEmpty()) {
            seen.remove(persistenceId);
        } else {
            Item ofParts = Item.create();
            if (item.has(Parts.ID)) {
                ofParts.text(Parts.ID, item.text(Parts.ID)).number(Parts.COUNT, item.number(Parts.COUNT));
            }
            seen.put(
                    persistenceId,
                    new Seen(
                            item.number(StateItems.REVISION),
                            item.number(StateItems.TIMESTAMP),
                            StateItems.tag(item),
                            ofParts));
        }
    }

    @Override
    public CompletionStage<Void> write(StateChange change) {
        String id = change.persistenceId();
        return ReservedIds.guarded(id, () -> {
            if (change.revision() == 1) {
                return put(change, null);
            }
            Seen last = seen.get(id);
            return last != null && last.revision() == change.revision() - 1
                    ? put(change, last)
                    : item(id).thenCompose(item -> put(change, seen.get(id)));
        });
    }

    private CompletionStage<Void> put(StateChange change, @Nullable Seen before) {
        String id = change.persistenceId();
        if (change.revision() > 1 && (before == null || before.revision() != change.revision() - 1)) {
            return item(id).thenCompose(item -> CompletableFuture.failedFuture(conflict(change, item)));
        }
        return registry.partitionsForWrite(Slices.entityType(id))
                .thenCompose(partitions -> put(change, before, partitions));
    }

    @Override
    public CompletionStage<Void> restore(StoredState state) {
        String id = state.persistenceId();
        return ReservedIds.guarded(
                id,
                () -> get(id).thenCompose(stored -> {
                    if (stored.filter(state::isSameAs).isPresent()) {
                        return CompletableFuture.completedFuture(null);
                    }
                    Seen before = seen.get(id);
                    if (before != null && before.revision() >= state.revision()) {
                        return item(id).thenCompose(
                                        item -> CompletableFuture.failedFuture(conflict(state.asChange(), item)));
                    }
                    long least = before == null ? 1 : before.timestampMicros() + 1;
                    return registry.partitionsForWrite(Slices.entityType(id))
                            .thenCompose(partitions -> put(
                                    state.asChange(),
                                    before,
                                    StateItems.head(
                                            state.asChange(),
                                            state.tag(),
                                            Math.max(state.timestampMicros(), least),
                                            WriterId.of(state.writer()),
                                            partitions),
                                    () -> Math.max(state.timestampMicros(), least)));
                }));
    }

    private CompletionStage<Void> put(StateChange change, @Nullable Seen before, int partitions) {
        // A delete keeps the tag, so that queries by tag show it.
        String tag = change.payload() == null && before != null ? before.tag() : change.tag();
        Item head = StateItems.head(change, tag, nextTimestamp(before), writer, partitions);
        return put(change, before, head, () -> nextTimestamp(before));
    }

    /** @param timestamp the time of a head that is written after its parts */
    private CompletionStage<Void> put(StateChange change, @Nullable Seen before, Item head, LongSupplier timestamp) {
        String id = change.persistenceId();
        Payload payload = change.payload();
        CompletionStage<Void> ready = CompletableFuture.completedFuture(null);
        if (payload != null) {
            PayloadFit fit = PayloadFit.of(
                    head, StateItems.frame(payload), StateItems::covered, settings.itemSize(), settings.compression());
            if (fit.inParts()) {
                // Writing parts may take longer than readers of the index wait for late rows, so the timestamp is taken
                // when the head is written.
                ready = parts.write(head, fit.bytes())
                        .thenRun(() -> head.number(StateItems.TIMESTAMP, timestamp.getAsLong()));
            } else {
                head.bytes(StateItems.BODY, fit.bytes());
            }
        } else if (settings.tombstoneRetention() != null) {
            head.number(
                    StateItems.EXPIRY,
                    dynamo.nowMicros() / 1_000_000
                            + settings.tombstoneRetention().toSeconds());
        }
        return ready.thenCompose(stored -> dynamo.putIf(conditional(head, before)))
                .thenCompose(rejection -> {
                    Item existing = rejection
                            .map(item -> ItemKey.named(settings.tableName(), item))
                            .orElse(null);
                    if (existing == null || StateItems.isOwn(existing, head)) {
                        remember(id, head);
                        return before == null ? CompletableFuture.completedFuture(null) : parts.delete(before.parts());
                    }
                    remember(id, existing);
                    // The rejection is definite, so these parts will never be read.
                    return parts.delete(head)
                            .thenCompose(gone -> CompletableFuture.failedFuture(conflict(change, existing)));
                });
    }

    /** A page of the table, in the table's own order, which no write changes. */
    @Override
    public CompletionStage<IdPage> ids(@Nullable PageToken start, int limit, boolean deletedToo) {
        return maintenance
                .scan(ScanRequest.builder()
                        .tableName(settings.tableName())
                        .projectionExpression(ItemKey.PID)
                        .filterExpression("seq = :head" + (deletedToo ? "" : " AND attribute_not_exists(del)"))
                        .expressionAttributeValues(Map.of(":head", ItemKey.number(StateItems.STATE_SEQ)))
                        .limit(limit)
                        .exclusiveStartKey(NextKey.startKey(start)))
                .thenApply(page -> new IdPage(
                        page.items().stream()
                                .map(item -> item.text(ItemKey.PID))
                                .toList(),
                        NextKey.after(page)));
    }

    @Override
    public PageToken after(String persistenceId) {
        return new NextKey(StateReader.key(persistenceId));
    }

    /** Increases within a persistence id, and is used once by this object, so that it identifies a write as ours. */
    private long nextTimestamp(@Nullable Seen before) {
        long least = before == null ? 0 : before.timestampMicros() + 1;
        long now = Math.max(dynamo.nowMicros(), least);
        return lastTimestampMicros.updateAndGet(last -> Math.max(now, last + 1));
    }

    private PutItemRequest.Builder conditional(Item head, @Nullable Seen before) {
        PutItemRequest.Builder put =
                PutItemRequest.builder().tableName(settings.tableName()).item(head.attributes());
        if (before == null) {
            return put.conditionExpression("attribute_not_exists(pid)");
        }
        Map<String, AttributeValue> values = new HashMap<>();
        values.put(":rev", ItemKey.number(before.revision()));
        values.put(":ts", ItemKey.number(before.timestampMicros()));
        return put.conditionExpression("rev = :rev AND ts = :ts").expressionAttributeValues(values);
    }

    private StoreException.RevisionConflict conflict(StateChange change, Item existing) {
        return new StoreException.RevisionConflict(
                change.persistenceId(),
                change.revision(),
                writer.toString(),
                existing.isEmpty() ? 0 : existing.number(StateItems.REVISION),
                existing.isEmpty() ? "" : StateItems.writer(existing));
    }

    @Override
    public CompletionStage<Void> delete(String persistenceId) {
        return ReservedIds.guarded(persistenceId, () -> delete(persistenceId, MAX_DELETE_ATTEMPTS));
    }

    private CompletionStage<Void> delete(String persistenceId, int attemptsLeft) {
        return item(persistenceId).thenCompose(item -> {
            if (item.isEmpty() || StateItems.isDeleted(item)) {
                return CompletableFuture.completedFuture(null);
            }
            StateChange change = StateChange.delete(persistenceId, item.number(StateItems.REVISION) + 1);
            return put(change, seen.get(persistenceId))
                    .handle((done, failure) -> failure == null
                            ? CompletableFuture.<Void>completedFuture(null)
                            : attemptsLeft > 1 && Stages.unwrap(failure) instanceof StoreException.RevisionConflict
                                    ? delete(persistenceId, attemptsLeft - 1)
                                    : CompletableFuture.<Void>failedFuture(failure))
                    .thenCompose(stage -> stage);
        });
    }

    @Override
    public CompletionStage<Void> expire(String persistenceId, long expirySeconds) {
        return ReservedIds.guarded(
                persistenceId,
                () -> item(maintenanceReader, persistenceId)
                        .thenCompose(item -> item.isEmpty() || StateItems.isDeleted(item)
                                ? CompletableFuture.completedFuture(null)
                                : deletedParts
                                        .expire(item, expirySeconds)
                                        .thenCompose(done -> expire(item, expirySeconds))));
    }

    /** A state that was written meanwhile stays: it is a new one. */
    private CompletionStage<Void> expire(Item item, long expirySeconds) {
        return maintenance
                .updateIf(UpdateItemRequest.builder()
                        .tableName(settings.tableName())
                        .key(StateReader.key(item.text(ItemKey.PID)))
                        .updateExpression("SET #exp = :exp")
                        .conditionExpression("rev = :rev AND ts = :ts")
                        .expressionAttributeNames(Map.of("#exp", StateItems.EXPIRY))
                        .expressionAttributeValues(Map.of(
                                ":exp", ItemKey.number(expirySeconds),
                                ":rev", ItemKey.number(item.number(StateItems.REVISION)),
                                ":ts", ItemKey.number(item.number(StateItems.TIMESTAMP)))))
                .thenAccept(changed -> {});
    }

    @Override
    public CompletionStage<Void> reset(String persistenceId) {
        return ReservedIds.guarded(persistenceId, () -> reset(persistenceId, MAX_DELETE_ATTEMPTS));
    }

    private CompletionStage<Void> reset(String persistenceId, int attemptsLeft) {
        return item(maintenanceReader, persistenceId).thenCompose(item -> {
            if (item.isEmpty()) {
                return CompletableFuture.completedFuture(null);
            }
            return maintenance
                    .deleteIf(DeleteItemRequest.builder()
                            .tableName(settings.tableName())
                            .key(StateReader.key(persistenceId))
                            .conditionExpression("attribute_not_exists(pid) OR (rev = :rev AND ts = :ts)")
                            .expressionAttributeValues(Map.of(
                                    ":rev", ItemKey.number(item.number(StateItems.REVISION)),
                                    ":ts", ItemKey.number(item.number(StateItems.TIMESTAMP)))))
                    .thenCompose(changed -> {
                        if (changed.isEmpty()) {
                            seen.remove(persistenceId);
                            return deletedParts.delete(item);
                        }
                        return attemptsLeft > 1
                                ? reset(persistenceId, attemptsLeft - 1)
                                : CompletableFuture.failedFuture(conflict(
                                        StateChange.delete(persistenceId, item.number(StateItems.REVISION)),
                                        changed.get()));
                    });
        });
    }
}
