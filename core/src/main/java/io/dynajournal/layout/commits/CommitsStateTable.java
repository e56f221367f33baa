package io.dynajournal.layout.commits;

import io.dynajournal.dynamo.Dynamo;
import io.dynajournal.dynamo.Item;
import io.dynajournal.model.Payload;
import io.dynajournal.model.StateChange;
import io.dynajournal.model.StoredState;
import io.dynajournal.store.StateTable;
import io.dynajournal.store.StoreException;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;

/**
 * The native table of durable states: an item per id, parts for large states.
 *
 * <p>A write replaces the item under the condition that it is still the one its writer saw, by revision and time. The time
 * rises with every write of an id, so that a reader of the index who has read up to a time has missed nothing of the id that
 * is older. Who has not read the state, or written it last, reads it first; an entity has always read it.
 *
 * <p>A head is written after its parts, and the parts of the head before it are removed after that; so whoever finds a head
 * without parts has read it just before it was replaced, and reads again.
 */
final class CommitsStateTable implements StateTable {

    private static final int ATTEMPTS = 3;

    /** So many ids' last items are remembered; one that was forgotten costs a read before its next write. */
    private static final int REMEMBERED = 100_000;

    /** Of an item that was read or written: what its successor's condition and the removal of its parts need. */
    private record Seen(long revision, long ts, Item parts) {}

    private final Dynamo dynamo;
    private final CommitsStates settings;
    private final WriterId writer;
    private final Parts parts;
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
    }

    @Override
    public CompletionStage<Optional<StoredState>> get(String persistenceId) {
        return ReservedIds.guarded(persistenceId, () -> get(persistenceId, ATTEMPTS));
    }

    private CompletionStage<Optional<StoredState>> get(String persistenceId, int attempts) {
        return item(persistenceId).thenCompose(item -> {
            if (item.isEmpty() || StateItems.isDeleted(item)) {
                return CompletableFuture.completedFuture(
                        item.isEmpty() ? Optional.empty() : Optional.of(StateItems.deleted(item)));
            }
            if (!item.has(Parts.SUM)) {
                return CompletableFuture.completedFuture(
                        Optional.of(StateItems.state(item, item.bytes(StateItems.BODY))));
            }
            return parts.read(item).thenCompose(payload -> {
                if (payload != null) {
                    return CompletableFuture.completedFuture(Optional.of(StateItems.state(item, payload)));
                }
                if (attempts > 1) {
                    return get(persistenceId, attempts - 1);
                }
                throw item.corrupt(Parts.PARTS, "names parts that are not there", null);
            });
        });
    }

    private CompletionStage<Item> item(String persistenceId) {
        return dynamo.getAll(settings.tableName(), List.of(key(persistenceId))).thenApply(items -> {
            Item item = items.isEmpty() ? Item.create() : items.get(0);
            remember(persistenceId, item);
            return item;
        });
    }

    private static Map<String, AttributeValue> key(String persistenceId) {
        return Map.of(StateItems.PID, AttributeValue.fromS(persistenceId), StateItems.SEQ, AttributeValue.fromN("0"));
    }

    private void remember(String persistenceId, Item item) {
        if (item.isEmpty()) {
            seen.remove(persistenceId);
        } else {
            Item ofParts = Item.create();
            if (item.has(Parts.PART)) {
                ofParts.text(Parts.PART, item.text(Parts.PART)).number(Parts.PARTS, item.number(Parts.PARTS));
            }
            seen.put(persistenceId, new Seen(item.number(StateItems.REV), item.number(StateItems.TS), ofParts));
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
        Item head = StateItems.head(change, time(before), writer, settings.indexPartitions());
        Payload payload = change.payload();
        CompletionStage<Void> ready = CompletableFuture.completedFuture(null);
        if (payload != null) {
            PayloadFit fit =
                    PayloadFit.of(head, StateItems.frame(payload), settings.itemSize(), settings.compression());
            if (fit.inParts()) {
                ready = parts.write(head, fit.bytes());
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
