package io.dynajournal.layout.commits;

import io.dynajournal.dynamo.Dynamo;
import io.dynajournal.dynamo.Item;
import io.dynajournal.model.Payload;
import io.dynajournal.model.Slices;
import io.dynajournal.model.StateChange;
import io.dynajournal.model.StoredState;
import io.dynajournal.store.PageToken;
import io.dynajournal.store.PersistenceIds.IdPage;
import io.dynajournal.store.StateTable;
import io.dynajournal.store.StoreException;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.ScanRequest;

/**
 * The native table of durable states: an item per id, parts for large states.
 *
 * <p>A write replaces the item under the condition that it is still the one its writer saw, by revision and time. The time
 * rises with every write of an id, so that a reader of the index who has read up to a time has missed nothing of the id that
 * is older. Who has not read the state, or written it last, reads it first; an entity has always read it.
 */
final class CommitsStateTable implements StateTable {

    private static final int ATTEMPTS = 3;

    /** So many ids' last items are remembered; one that was forgotten costs a read before its next write. */
    private static final int REMEMBERED = 100_000;

    /** Of an item that was read or written: what its successor's condition, its end and the removal of its parts need. */
    private record Seen(long revision, long ts, String tag, Item parts) {}

    private record Next(Map<String, AttributeValue> key) implements PageToken {}

    private final Dynamo dynamo;
    private final CommitsStates settings;
    private final WriterId writer;
    private final Parts parts;
    private final StateReader reader;
    private final CommitsRegistry registry;
    private final AtomicLong lastTime = new AtomicLong();
    private final Map<String, Seen> seen = Collections.synchronizedMap(new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Seen> eldest) {
            return size() > REMEMBERED;
        }
    });

    CommitsStateTable(Dynamo dynamo, CommitsStates settings, WriterId writer) {
        this.dynamo = dynamo;
        this.settings = settings;
        this.writer = writer;
        this.parts = new Parts(dynamo, settings.tableName(), settings.itemSize());
        this.reader = new StateReader(dynamo, settings.tableName(), parts);
        this.registry = new CommitsRegistry(dynamo, settings.tableName(), settings.indexPartitions());
    }

    @Override
    public CompletionStage<Optional<StoredState>> get(String persistenceId) {
        return ReservedIds.guarded(
                persistenceId, () -> reader.get(persistenceId, item -> remember(persistenceId, item)));
    }

    private CompletionStage<Item> item(String persistenceId) {
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
            if (item.has(Parts.PART)) {
                ofParts.text(Parts.PART, item.text(Parts.PART)).number(Parts.PARTS, item.number(Parts.PARTS));
            }
            seen.put(
                    persistenceId,
                    new Seen(item.number(StateItems.REV), item.number(StateItems.TS), StateItems.tag(item), ofParts));
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
        return registry.partitions(Slices.entityType(id), before == null)
                .thenCompose(partitions -> put(change, before, partitions));
    }

    private CompletionStage<Void> put(StateChange change, @Nullable Seen before, int partitions) {
        String id = change.persistenceId();
        // A delete keeps the tag, so that who follows the tag hears of it.
        String tag = change.payload() == null && before != null ? before.tag() : change.tag();
        Item head = StateItems.head(change, tag, time(before), writer, partitions);
        Payload payload = change.payload();
        CompletionStage<Void> ready = CompletableFuture.completedFuture(null);
        if (payload != null) {
            PayloadFit fit =
                    PayloadFit.of(head, StateItems.frame(payload), settings.itemSize(), settings.compression());
            if (fit.inParts()) {
                // Parts may take longer than readers of the index wait for late rows, so the time is that of the head.
                ready = parts.write(head, fit.bytes()).thenRun(() -> head.number(StateItems.TS, time(before)));
            } else {
                head.bytes(StateItems.BODY, fit.bytes());
            }
        } else if (settings.deletedLife() != null) {
            head.number(
                    StateItems.EXP,
                    dynamo.nowMicros() / 1_000_000 + settings.deletedLife().toSeconds());
        }
        return ready.thenCompose(stored -> dynamo.putIf(conditional(head, before)))
                .thenCompose(there -> {
                    if (there.isEmpty() || StateItems.isOwn(there.get(), head)) {
                        remember(id, head);
                        return before == null ? CompletableFuture.completedFuture(null) : parts.delete(before.parts());
                    }
                    remember(id, there.get());
                    // A definite refusal: nobody will ever read the parts of this head.
                    return parts.delete(head)
                            .thenCompose(gone -> CompletableFuture.failedFuture(conflict(change, there.get())));
                });
    }

    /** A page of the table, in its own order, which no write changes. */
    @Override
    public CompletionStage<IdPage> ids(@Nullable PageToken start, int limit) {
        return dynamo.scan(ScanRequest.builder()
                        .tableName(settings.tableName())
                        .projectionExpression(StateItems.PID)
                        .filterExpression("seq = :head AND attribute_not_exists(del)")
                        .expressionAttributeValues(Map.of(":head", AttributeValue.fromN("0")))
                        .limit(limit)
                        .exclusiveStartKey(start == null ? null : ((Next) start).key()))
                .thenApply(page -> new IdPage(
                        page.items().stream()
                                .map(item -> item.text(StateItems.PID))
                                .toList(),
                        page.next() == null ? null : new Next(page.next())));
    }

    @Override
    public PageToken behind(String persistenceId) {
        return new Next(StateReader.key(persistenceId));
    }

    /** Rises within the id, and is never used twice by this table, so that it marks a write as ours. */
    private long time(@Nullable Seen before) {
        long least = before == null ? 0 : before.ts() + 1;
        long now = Math.max(dynamo.nowMicros(), least);
        return lastTime.updateAndGet(last -> Math.max(now, last + 1));
    }

    private PutItemRequest.Builder conditional(Item head, @Nullable Seen before) {
        PutItemRequest.Builder put =
                PutItemRequest.builder().tableName(settings.tableName()).item(head.attributes());
        if (before == null) {
            return put.conditionExpression("attribute_not_exists(pid)");
        }
        Map<String, AttributeValue> values = new HashMap<>();
        values.put(":rev", AttributeValue.fromN(Long.toString(before.revision())));
        values.put(":ts", AttributeValue.fromN(Long.toString(before.ts())));
        return put.conditionExpression("rev = :rev AND ts = :ts").expressionAttributeValues(values);
    }

    private StoreException.RevisionConflict conflict(StateChange change, Item there) {
        return new StoreException.RevisionConflict(
                change.persistenceId(),
                change.revision(),
                writer.toString(),
                there.isEmpty() ? 0 : there.number(StateItems.REV),
                there.isEmpty() ? "" : StateItems.writer(there));
    }

    @Override
    public CompletionStage<Void> delete(String persistenceId) {
        return ReservedIds.guarded(persistenceId, () -> delete(persistenceId, ATTEMPTS));
    }

    private CompletionStage<Void> delete(String persistenceId, int attempts) {
        return item(persistenceId).thenCompose(item -> {
            if (item.isEmpty() || StateItems.isDeleted(item)) {
                return CompletableFuture.completedFuture(null);
            }
            StateChange change = StateChange.delete(persistenceId, item.number(StateItems.REV) + 1);
            return put(change, seen.get(persistenceId))
                    .handle((done, failure) -> failure == null
                            ? CompletableFuture.<Void>completedFuture(null)
                            : attempts > 1 && isConflict(failure)
                                    ? delete(persistenceId, attempts - 1)
                                    : CompletableFuture.<Void>failedFuture(failure))
                    .thenCompose(stage -> stage);
        });
    }

    private static boolean isConflict(Throwable failure) {
        return failure instanceof StoreException.RevisionConflict
                || failure.getCause() instanceof StoreException.RevisionConflict;
    }
}
