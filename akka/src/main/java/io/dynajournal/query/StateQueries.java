package io.dynajournal.query;

import akka.NotUsed;
import akka.japi.Pair;
import akka.persistence.query.DeletedDurableState;
import akka.persistence.query.DurableStateChange;
import akka.persistence.query.Offset;
import akka.persistence.query.TimestampOffset;
import akka.persistence.query.UpdatedDurableState;
import akka.stream.javadsl.Source;
import io.dynajournal.Gate;
import io.dynajournal.OpenedStates;
import io.dynajournal.QueryListener;
import io.dynajournal.WriteNews;
import io.dynajournal.model.Payload;
import io.dynajournal.model.SliceRange;
import io.dynajournal.model.Slices;
import io.dynajournal.model.StoredState;
import io.dynajournal.settings.ReadConfig;
import io.dynajournal.slices.Start;
import io.dynajournal.store.PageToken;
import io.dynajournal.store.StateIndex;
import io.dynajournal.toolkit.PayloadSerde;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * All queries on the states of one store, for both its faces. A query makes no request before it runs, and what is wrong with
 * it fails its stream. Thread-safe.
 */
public final class StateQueries {

    /** How many items of the table are looked at in one request for ids. */
    private static final int IDS_AT_ONCE = 1000;

    /** Where a stream of pages is. */
    private record At(@Nullable PageToken token, boolean end) {}

    private final Gate<OpenedStates> gate;
    private final PayloadSerde serde;
    private final WriteNews news;
    private final QueryListener listener;
    // The first query makes it, because it belongs to the index that the gate opens. Guarded by this.
    private SliceStage.@Nullable Shared changes;

    /** @param news what the store tells of its writes */
    public StateQueries(Gate<OpenedStates> gate, PayloadSerde serde, WriteNews news, QueryListener listener) {
        this.gate = gate;
        this.serde = serde;
        this.news = news;
        this.listener = listener;
    }

    private <T> Source<T, NotUsed> opened(Function<OpenedStates, Source<T, NotUsed>> query) {
        return Source.lazyCompletionStageSource(
                        () -> gate.use(states -> CompletableFuture.completedFuture(query.apply(states))))
                .mapMaterializedValue(done -> NotUsed.getInstance());
    }

    /**
     * The newest states of some slices of an entity type; see {@link
     * akka.persistence.query.typed.javadsl.DurableStateStoreBySliceQuery}.
     */
    public <A> Source<DurableStateChange<A>, NotUsed> bySlices(
            String entityType, int minSlice, int maxSlice, Offset offset, boolean live) {
        return changes(reads -> new SliceQuery(
                Set.of(entityType), new SliceRange(minSlice, maxSlice), null, start(offset, reads), live));
    }

    /** The newest states with a tag, of all entity types; see {@link akka.persistence.query.javadsl.DurableStateStoreQuery}. */
    public <A> Source<DurableStateChange<A>, NotUsed> byTag(String tag, Offset offset, boolean live) {
        return changes(reads -> new SliceQuery(Set.of(), SliceRange.ALL, tag, start(offset, reads), live));
    }

    private <A> Source<DurableStateChange<A>, NotUsed> changes(Function<ReadConfig, SliceQuery> query) {
        return opened(states -> {
            StateIndex index = states.changes()
                    .orElseThrow(() -> new UnsupportedOperationException("Table " + states.tableName()
                            + " has no index by slice, which queries of changes read. The layout commits has one: with it,"
                            + " set index.slices = on and add the index to the table"));
            SliceQuery asked = query.apply(states.reads());
            return Source.fromGraph(new SliceStage<>(
                            shared(index, states.reads()), asked, () -> new StateContents(index, asked)))
                    .mapAsync(1, found -> this.<A>change(found, states));
        });
    }

    private synchronized SliceStage.Shared shared(StateIndex index, ReadConfig reads) {
        SliceStage.Shared there = changes;
        if (there == null) {
            Lane lane = new Lane(reads.reader().parallelism());
            there = new SliceStage.Shared(
                    index, new SharedPages(index, lane), lane, reads.reader(), news.heardBy(reads.push()), listener);
            changes = there;
        }
        return there;
    }

    @SuppressWarnings("unchecked") // of what type the states are, only the caller knows
    private <A> CompletionStage<DurableStateChange<A>> change(FoundState found, OpenedStates states) {
        StoredState state = found.state();
        Offset offset = Envelopes.offset(
                Envelopes.instant(found.rowMicros()),
                Envelopes.instant(found.readMicros()),
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

    /** Of the ids that the consumer has seen it has had all states up to the offset's time. */
    private static Start start(Offset offset, ReadConfig reads) {
        TimestampOffset given = TimestampOffset.toTimestampOffset(offset);
        if (given.timestamp().equals(Instant.EPOCH)) {
            return Start.BEGINNING;
        }
        long micros = ChronoUnit.MICROS.between(Instant.EPOCH, given.timestamp());
        Map<String, Long> seen = new HashMap<>();
        given.getSeen().keySet().forEach(id -> seen.put(id, micros));
        return Start.behind(micros, seen, reads.reader());
    }

    /**
     * The ids that have a state; with a limit and an id to begin behind, a page of them.
     *
     * @param entityType null for all
     */
    public Source<String, NotUsed> ids(@Nullable String entityType, @Nullable String behind, long limit) {
        return opened(states -> {
                    At start = new At(behind == null ? null : states.table().behind(behind), false);
                    int most = entityType == null ? (int) Math.max(1, Math.min(IDS_AT_ONCE, limit)) : IDS_AT_ONCE;
                    return Source.unfoldAsync(start, at -> idPage(states, at, most))
                            .mapConcat(ids -> ids)
                            .filter(id -> entityType == null || entityType.equals(Slices.entityType(id)));
                })
                .take(limit);
    }

    private static CompletionStage<Optional<Pair<At, List<String>>>> idPage(OpenedStates states, At at, int most) {
        return at.end()
                ? CompletableFuture.completedFuture(Optional.empty())
                : states.table()
                        .ids(at.token(), most)
                        .thenApply(page ->
                                Optional.of(Pair.create(new At(page.next(), page.next() == null), page.ids())));
    }
}
