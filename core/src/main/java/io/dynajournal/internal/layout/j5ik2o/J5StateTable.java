package io.dynajournal.internal.layout.j5ik2o;

import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.dynamo.Item;
import io.dynajournal.internal.dynamo.ItemSize;
import io.dynajournal.internal.model.StateChange;
import io.dynajournal.internal.model.StoredState;
import io.dynajournal.internal.store.LruMap;
import io.dynajournal.internal.store.PageToken;
import io.dynajournal.internal.store.PersistenceIds.IdPage;
import io.dynajournal.internal.store.Stages;
import io.dynajournal.internal.store.StateTable;
import io.dynajournal.listener.Lane;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.ScanRequest;

/**
 * j5ik2o's table of durable states: a row of up to 400 KB per persistence id. Reads are consistent, and a row is replaced only
 * if it is the one that this writer saw last; the predecessor does neither. A writer without a view reads the row first.
 *
 * <p>A row of another persistence id under the same key is never changed or returned: that is an error.
 */
final class J5StateTable implements StateTable {

    private static final int MAX_DELETE_ATTEMPTS = 3;

    /** The number of persistence ids whose last row is remembered; a forgotten one costs a read before its next write. */
    private static final int MAX_REMEMBERED_IDS = 100_000;

    /**
     * The row that was read or written last.
     *
     * @param time null for a row that the predecessor wrote
     */
    private record Seen(long revision, @Nullable Long time, String tag) {}

    private record Next(Map<String, AttributeValue> key) implements PageToken {}

    private final Dynamo dynamo;
    private final Dynamo writes;
    private final Dynamo maintenance;
    private final J5States settings;
    private final J5StateItems items;
    private final String writer;
    private final AtomicLong lastTime = new AtomicLong();
    private final LruMap<String, Seen> seen = new LruMap<>(MAX_REMEMBERED_IDS);

    J5StateTable(Dynamo dynamo, J5States settings, String writer) {
        this.dynamo = dynamo;
        this.writes = dynamo.forWrites();
        this.maintenance = dynamo.in(Lane.MAINTENANCE);
        this.settings = settings;
        this.items = new J5StateItems(settings);
        this.writer = writer;
    }

    @Override
    public CompletionStage<Optional<StoredState>> get(String persistenceId) {
        return Stages.guarded(() -> row(dynamo, persistenceId)
                .thenApply(row -> row.isEmpty() ? Optional.empty() : Optional.of(items.state(row))));
    }

    /** The row for a write. */
    private CompletionStage<Item> row(String persistenceId) {
        return row(writes, persistenceId);
    }

    private CompletionStage<Item> row(Dynamo lane, String persistenceId) {
        String table = settings.tables().of(persistenceId);
        return lane.getAll(table, List.of(items.key(persistenceId).attributes()))
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
        return Stages.guarded(() -> {
            Seen last = seen.get(id);
            return change.revision() == 1 || (last != null && last.revision() == change.revision() - 1)
                    ? put(change, change.revision() == 1 ? null : last)
                    : row(id).thenCompose(row -> put(change, seen.get(id)));
        });
    }

    private CompletionStage<Void> put(StateChange change, @Nullable Seen before) {
        String id = change.persistenceId();
        if (change.revision() > 1 && (before == null || before.revision() != change.revision() - 1)) {
            return row(id).thenCompose(row -> CompletableFuture.failedFuture(conflict(change, row)));
        }
        String tag = change.payload() == null && before != null ? before.tag() : change.tag();
        return put(change, before, items.row(change, tag, time(before), writer));
    }

    @Override
    public CompletionStage<Void> restore(StoredState state) {
        String id = state.persistenceId();
        return Stages.guarded(() -> row(id).thenCompose(row -> {
            if (!row.isEmpty() && items.state(row).isSameAs(state)) {
                return CompletableFuture.completedFuture(null);
            }
            StateChange change = state.asChange();
            if (!row.isEmpty() && items.revision(row) >= state.revision()) {
                return CompletableFuture.failedFuture(conflict(change, row));
            }
            Seen before = seen.get(id);
            long least = before == null || before.time() == null ? 1 : before.time() + 1;
            long time = Math.max(state.timestampMicros(), least);
            return put(change, before, items.row(change, state.tag(), time, state.writer()));
        }));
    }

    private CompletionStage<Void> put(StateChange change, @Nullable Seen before, Item row) {
        String id = change.persistenceId();
        String table = settings.tables().of(id);
        if (row.size() > ItemSize.LIMIT) {
            return CompletableFuture.failedFuture(
                    new StoreException.ItemTooLarge(table, id, change.revision(), row.size(), ItemSize.LIMIT));
        }
        return dynamo.putIf(conditional(table, row, id, before)).thenCompose(conflicting -> {
            Item stored = conflicting.orElse(row);
            remember(id, stored);
            return conflicting.isEmpty() || items.isOwn(stored, row)
                    ? CompletableFuture.completedFuture(null)
                    : CompletableFuture.failedFuture(conflict(change, stored));
        });
    }

    /** The time of a write. Never used twice by this table, so that it identifies the write. */
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

    private StoreException.RevisionConflict conflict(StateChange change, Item stored) {
        return new StoreException.RevisionConflict(
                change.persistenceId(),
                change.revision(),
                writer,
                stored.isEmpty() ? 0 : items.revision(stored),
                stored.isEmpty() ? "" : items.writer(stored));
    }

    @Override
    public CompletionStage<Void> delete(String persistenceId) {
        return Stages.guarded(() -> delete(persistenceId, MAX_DELETE_ATTEMPTS));
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

    @Override
    public CompletionStage<Void> reset(String persistenceId) {
        return Stages.guarded(() -> reset(persistenceId, MAX_DELETE_ATTEMPTS));
    }

    private CompletionStage<Void> reset(String persistenceId, int attempts) {
        return row(maintenance, persistenceId).thenCompose(row -> {
            if (row.isEmpty()) {
                return CompletableFuture.completedFuture(null);
            }
            J5StateColumns columns = settings.columns();
            return maintenance
                    .deleteIf(DeleteItemRequest.builder()
                            .tableName(settings.tables().of(persistenceId))
                            .key(items.key(persistenceId).attributes())
                            .conditionExpression("attribute_not_exists(#id) OR (#id = :id AND #revision = :revision)")
                            .expressionAttributeNames(
                                    Map.of("#id", columns.persistenceId(), "#revision", columns.revision()))
                            .expressionAttributeValues(Map.of(
                                    ":id", AttributeValue.fromS(persistenceId),
                                    ":revision", AttributeValue.fromN(Long.toString(items.revision(row))))))
                    .thenCompose(changed -> {
                        if (changed.isEmpty()) {
                            seen.remove(persistenceId);
                            return CompletableFuture.completedFuture(null);
                        }
                        return attempts > 1
                                ? reset(persistenceId, attempts - 1)
                                : CompletableFuture.failedFuture(conflict(
                                        StateChange.delete(persistenceId, items.revision(row)), changed.get()));
                    });
        });
    }

    private static boolean isConflict(Throwable failure) {
        return failure instanceof StoreException.RevisionConflict
                || failure.getCause() instanceof StoreException.RevisionConflict;
    }

    @Override
    public CompletionStage<IdPage> ids(@Nullable PageToken start, int limit, boolean deletedToo) {
        if (settings.tables().byPrefix()) {
            return CompletableFuture.failedFuture(new UnsupportedOperationException(
                    "Persistence ids cannot be listed where their prefixes name their tables"
                            + " (table-name-resolver-class-name = TableNameResolver$Prefix)"));
        }
        J5StateColumns columns = settings.columns();
        return dynamo.scan(ScanRequest.builder()
                        .tableName(settings.tables().configured())
                        .projectionExpression("#id")
                        .filterExpression("attribute_exists(" + (deletedToo ? "#id" : "#payload") + ")")
                        .expressionAttributeNames(
                                deletedToo
                                        ? Map.of("#id", columns.persistenceId())
                                        : Map.of("#id", columns.persistenceId(), "#payload", columns.payload()))
                        .limit(limit)
                        .exclusiveStartKey(start == null ? null : ((Next) start).key()))
                .thenApply(page -> new IdPage(
                        page.items().stream().map(items::persistenceId).toList(),
                        page.next() == null ? null : new Next(page.next())));
    }

    @Override
    public PageToken after(String persistenceId) {
        return new Next(items.key(persistenceId).attributes());
    }
}
