package io.dynajournal.internal.query;

import akka.NotUsed;
import akka.persistence.query.DeletedDurableState;
import akka.persistence.query.DurableStateChange;
import akka.persistence.query.Offset;
import akka.persistence.query.TimestampOffset;
import akka.persistence.query.UpdatedDurableState;
import akka.stream.javadsl.Source;
import io.dynajournal.internal.model.Payload;
import io.dynajournal.internal.model.SliceRange;
import io.dynajournal.internal.model.StoredState;
import io.dynajournal.internal.plugin.OpenedStates;
import io.dynajournal.internal.plugin.PluginStartup;
import io.dynajournal.internal.plugin.WriteNotifications;
import io.dynajournal.internal.settings.ReadConfig;
import io.dynajournal.internal.slices.ResumePoint;
import io.dynajournal.internal.store.StateIndex;
import io.dynajournal.internal.toolkit.PayloadSerde;
import io.dynajournal.listener.QueryListener;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The queries on the states of one durable state store, for its Java and Scala APIs. A query makes no request before its
 * stream runs, and whatever is wrong with it fails the stream. Live queries wait until the store is open. Thread-safe.
 */
public final class StateQueries {

    /** Maximum number of items scanned per request for persistence ids. */
    private static final int MAX_ITEMS_PER_SCAN = 1000;

    private final PluginStartup<OpenedStates> store;
    private final PayloadSerde serde;
    private final WriteNotifications notifications;
    private final QueryProgress.Reports reports;
    // Created by the first query, because it needs the opened index. Guarded by this.
    private SliceStage.@Nullable Shared changes;

    /** @param notifications of the store's writes, which wake live queries */
    public StateQueries(
            PluginStartup<OpenedStates> store,
            PayloadSerde serde,
            WriteNotifications notifications,
            QueryListener listener,
            QueryListener latest) {
        this.store = store;
        this.serde = serde;
        this.notifications = notifications;
        this.reports = new QueryProgress.Reports(listener, latest);
    }

    /**
     * The newest states of some slices of an entity type; see {@link
     * akka.persistence.query.typed.javadsl.DurableStateStoreBySliceQuery}.
     */
    public <A> Source<DurableStateChange<A>, NotUsed> bySlices(
            String entityType, int minSlice, int maxSlice, Offset offset, boolean live) {
        return changes(
                live,
                "changes of entity type \"" + entityType + "\" by slices " + minSlice + " to " + maxSlice,
                reads -> new SliceQuery(
                        Set.of(entityType),
                        new SliceRange(minSlice, maxSlice),
                        null,
                        resumePoint(offset, reads),
                        live));
    }

    /** The newest states with a tag, of all entity types; see {@link akka.persistence.query.javadsl.DurableStateStoreQuery}. */
    public <A> Source<DurableStateChange<A>, NotUsed> byTag(String tag, Offset offset, boolean live) {
        return changes(
                live,
                "changes by tag \"" + tag + "\"",
                reads -> new SliceQuery(Set.of(), SliceRange.ALL, tag, resumePoint(offset, reads), live));
    }

    private <A> Source<DurableStateChange<A>, NotUsed> changes(
            boolean live, String name, Function<ReadConfig, SliceQuery> query) {
        Function<OpenedStates, Source<DurableStateChange<A>, NotUsed>> changes =
                states -> changes(states, query.apply(states.reads()));
        return live
                ? OpenedSource.live(store, reports, "live query of " + name, changes)
                : OpenedSource.current(store, changes);
    }

    private <A> Source<DurableStateChange<A>, NotUsed> changes(OpenedStates states, SliceQuery query) {
        StateIndex index = states.changes()
                .orElseThrow(() -> new UnsupportedOperationException("Table " + states.tableName()
                        + " has no index by slice, which queries of changes read. With the layout commits, set"
                        + " index.slices = on in the block of the store and add the index to the table"));
        return Source.fromGraph(
                        new SliceStage<>(shared(index, states.reads()), query, () -> new StateContents(index, query)))
                .mapAsync(1, read -> this.<A>change(read, states));
    }

    private synchronized SliceStage.Shared shared(StateIndex index, ReadConfig reads) {
        SliceStage.Shared shared = changes;
        if (shared == null) {
            RequestLimiter limiter = new RequestLimiter(reads.reader().parallelism());
            shared = new SliceStage.Shared(
                    index,
                    new SharedPages(index, limiter),
                    limiter,
                    reads.reader(),
                    notifications.heardBy(reads.push()),
                    reports);
            changes = shared;
        }
        return shared;
    }

    @SuppressWarnings("unchecked") // the caller names the type
    private <A> CompletionStage<DurableStateChange<A>> change(ReadState read, OpenedStates states) {
        StoredState state = read.state();
        Offset offset = Envelopes.offset(
                Envelopes.instant(read.rowMicros()),
                Envelopes.instant(read.readMicros()),
                state.persistenceId(),
                state.revision());
        long millis = state.timestampMicros() / 1000;
        Payload payload = state.payload();
        return payload == null
                ? CompletableFuture.completedFuture(
                        new DeletedDurableState<>(state.persistenceId(), state.revision(), offset, millis))
                : CompletableFuture.supplyAsync(() -> serde.object(payload), states.executor())
                        .thenCompose(object -> object)
                        .thenApply(object -> new UpdatedDurableState<>(
                                state.persistenceId(), state.revision(), (A) object, offset, millis));
    }

    /** Of the ids that the consumer has seen, it has received all states up to the time of the offset. */
    private static ResumePoint resumePoint(Offset offset, ReadConfig reads) {
        TimestampOffset given = TimestampOffset.toTimestampOffset(offset);
        if (given.timestamp().equals(Instant.EPOCH)) {
            return ResumePoint.BEGINNING;
        }
        long micros = ChronoUnit.MICROS.between(Instant.EPOCH, given.timestamp());
        Map<String, Long> seen = new HashMap<>();
        given.getSeen().keySet().forEach(id -> seen.put(id, micros));
        return ResumePoint.after(micros, seen, reads.reader());
    }

    /**
     * The persistence ids that have a state; with a limit and an id to start after, a page of them.
     *
     * @param entityType null for all
     */
    public Source<String, NotUsed> ids(@Nullable String entityType, @Nullable String afterId, long limit) {
        int maxItems = entityType == null ? (int) Math.max(1, Math.min(MAX_ITEMS_PER_SCAN, limit)) : MAX_ITEMS_PER_SCAN;
        return OpenedSource.current(
                        store,
                        states -> IdSource.pages(
                                afterId == null ? null : states.table().after(afterId),
                                entityType,
                                token -> states.table().ids(token, maxItems)))
                .take(limit);
    }
}
