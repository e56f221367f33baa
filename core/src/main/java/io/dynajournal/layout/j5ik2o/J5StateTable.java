package io.dynajournal.layout.j5ik2o;

import io.dynajournal.dynamo.Dynamo;
import io.dynajournal.dynamo.Item;
import io.dynajournal.dynamo.ItemSize;
import io.dynajournal.model.StateChange;
import io.dynajournal.model.StoredState;
import io.dynajournal.store.PageToken;
import io.dynajournal.store.PersistenceIds.IdPage;
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
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.ScanRequest;

/**
 * j5ik2o's table of durable states: a row per id of up to 400 KB. Reads are consistent, and a row is replaced only if it is
 * still the one its writer saw; the predecessor did neither. Who has not read the state, or written it last, reads it first.
 *
 * <p>A row of another id under the same key is never touched, nor taken for this id's: that is refused as a collision.
 */
final class J5StateTable implements StateTable {

    private static final int ATTEMPTS = 3;

    /** So many ids' last rows are remembered; one that was forgotten costs a read before its next write. */
    private static final int REMEMBERED = 100_000;

    /** @param time null for a row that the predecessor wrote */
    private record Seen(long revision, @Nullable Long time, String tag) {}

    private record Next(Map<String, AttributeValue> key) implements PageToken {}

    private final Dynamo dynamo;
    private final J5States settings;
    private final J5StateItems items;
    private final String writer;
    private final AtomicLong lastTime = new AtomicLong();
    private final Map<String, Seen> seen = Collections.synchronizedMap(new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Seen> eldest) {
            return size() > REMEMBERED;
        }
    });

    J5StateTable(Dynamo dynamo, J5States settings, String writer) {
        this.dynamo = dynamo;
        this.settings = settings;
        this.items = new J5StateItems(settings);
        this.writer = writer;
    }

    @Override
    public CompletionStage<Optional<StoredState>> get(String persistenceId) {
        return staged(() ->
                row(persistenceId).thenApply(row -> row.isEmpty() ? Optional.empty() : Optional.of(items.state(row))));
    }

    private CompletionStage<Item> row(String persistenceId) {
        String table = settings.tables().of(persistenceId);
        return dynamo.getAll(table, List.of(items.key(persistenceId).attributes()))
                .thenApply(rows -> {
                    Item row = rows.isEmpty() ? Item.create() : rows.get(0);
                    remember(persistenceId, row);
                    return row;
                });
    }

    private void remember(String persistenceId, Item row) {
        if (row.isEmpty()) {
            seen.remove(persistenceId);
            return;
        }
        if (!items.persistenceId(row).equals(persistenceId)) {
            throw J5Collision.ofStates(settings.tables().of(persistenceId), persistenceId, items.persistenceId(row));
        }
        Long time = row.has(J5StateItems.TIME) ? (Long) row.number(J5StateItems.TIME) : null;
        seen.put(persistenceId, new Seen(items.revision(row), time, items.tag(row)));
    }

    @Override
    public CompletionStage<Void> write(StateChange change) {
        String id = change.persistenceId();
        return staged(() -> {
            Seen last = seen.get(id);
            return change.revision() == 1 || (last != null && last.revision() == change.revision() - 1)
                    ? put(change, change.revision() == 1 ? null : last)
                    : row(id).thenCompose(row -> put(change, seen.get(id)));
        });
    }

    private CompletionStage<Void> put(StateChange change, @Nullable Seen before) {
        String id = change.persistenceId();
        String table = settings.tables().of(id);
        if (change.revision() > 1 && (before == null || before.revision() != change.revision() - 1)) {
            return row(id).thenCompose(row -> CompletableFuture.failedFuture(conflict(change, row)));
        }
        String tag = change.payload() == null && before != null ? before.tag() : change.tag();
        Item row = items.row(change, tag, time(before), writer);
        if (row.size() > ItemSize.LIMIT) {
            return CompletableFuture.failedFuture(
                    new StoreException.ItemTooLarge(table, id, change.revision(), row.size(), ItemSize.LIMIT));
        }
        return dynamo.putIf(conditional(table, row, id, before)).thenCompose(refusal -> {
            Item there = refusal.orElse(row);
            remember(id, there);
            return refusal.isEmpty() || items.isOwn(there, row)
                    ? CompletableFuture.completedFuture(null)
                    : CompletableFuture.failedFuture(conflict(change, there));
        });
    }

    /** Never used twice by this table, so that it marks a write as ours. */
    private long time(@Nullable Seen before) {
        long least = before == null || before.time() == null ? 0 : before.time() + 1;
        long now = Math.max(dynamo.nowMicros(), least);
        return lastTime.updateAndGet(last -> Math.max(now, last + 1));
    }

    private PutItemRequest.Builder conditional(String table, Item row, String id, @Nullable Seen before) {
        J5StateColumns columns = settings.columns();
        PutItemRequest.Builder put = PutItemRequest.builder().tableName(table).item(row.attributes());
        if (before == null) {
            return put.conditionExpression("attribute_not_exists(#key)")
                    .expressionAttributeNames(Map.of("#key", columns.partitionKey()));
        }
        Map<String, AttributeValue> values = new HashMap<>();
        values.put(":id", AttributeValue.fromS(id));
        values.put(":revision", AttributeValue.fromN(Long.toString(before.revision())));
        if (before.time() != null) {
            values.put(":time", AttributeValue.fromN(Long.toString(before.time())));
        }
        return put.conditionExpression("#id = :id AND #revision = :revision AND "
                        + (before.time() == null ? "attribute_not_exists(#time)" : "#time = :time"))
                .expressionAttributeNames(Map.of(
                        "#id", columns.persistenceId(), "#revision", columns.revision(), "#time", J5StateItems.TIME))
                .expressionAttributeValues(values);
    }

    private StoreException.RevisionConflict conflict(StateChange change, Item there) {
        return new StoreException.RevisionConflict(
                change.persistenceId(),
                change.revision(),
                writer,
                there.isEmpty() ? 0 : items.revision(there),
                there.isEmpty() ? "" : items.writer(there));
    }

    @Override
    public CompletionStage<Void> delete(String persistenceId) {
        return staged(() -> delete(persistenceId, ATTEMPTS));
    }

    private CompletionStage<Void> delete(String persistenceId, int attempts) {
        return row(persistenceId).thenCompose(row -> {
            if (row.isEmpty() || items.isDeleted(row)) {
                return CompletableFuture.completedFuture(null);
            }
            return put(StateChange.delete(persistenceId, items.revision(row) + 1), seen.get(persistenceId))
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

    @Override
    public CompletionStage<IdPage> ids(@Nullable PageToken start, int limit) {
        if (settings.tables().byPrefix()) {
            return CompletableFuture.failedFuture(new UnsupportedOperationException(
                    "Ids cannot be listed where their prefixes name their tables (TableNameResolver$Prefix)"));
        }
        J5StateColumns columns = settings.columns();
        return dynamo.scan(ScanRequest.builder()
                        .tableName(settings.tables().configured())
                        .projectionExpression("#id")
                        .filterExpression("attribute_exists(#payload)")
                        .expressionAttributeNames(Map.of("#id", columns.persistenceId(), "#payload", columns.payload()))
                        .limit(limit)
                        .exclusiveStartKey(start == null ? null : ((Next) start).key()))
                .thenApply(page -> new IdPage(
                        page.items().stream().map(items::persistenceId).toList(),
                        page.next() == null ? null : new Next(page.next())));
    }

    @Override
    public PageToken behind(String persistenceId) {
        return new Next(items.key(persistenceId).attributes());
    }

    /** Resolvers may throw; nothing is thrown at a caller who expects a stage. */
    private static <T> CompletionStage<T> staged(Supplier<CompletionStage<T>> call) {
        try {
            return call.get();
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }
}
