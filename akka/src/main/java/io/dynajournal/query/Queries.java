package io.dynajournal.query;

import akka.NotUsed;
import akka.actor.ExtendedActorSystem;
import akka.persistence.Persistence;
import akka.persistence.journal.EventAdapters;
import akka.persistence.query.EventEnvelope;
import akka.persistence.query.Offset;
import akka.stream.javadsl.Source;
import com.typesafe.config.Config;
import io.dynajournal.Dynajournal;
import io.dynajournal.Gate;
import io.dynajournal.OpenedJournal;
import io.dynajournal.OpenedReads;
import io.dynajournal.OpenedSnapshots;
import io.dynajournal.QueryListener;
import io.dynajournal.Wakeups;
import io.dynajournal.model.SeqRange;
import io.dynajournal.model.SliceRange;
import io.dynajournal.model.SnapshotCriteria;
import io.dynajournal.model.StoredSnapshot;
import io.dynajournal.settings.QueryConfig;
import io.dynajournal.slices.Start;
import io.dynajournal.store.SliceIndex;
import io.dynajournal.store.SnapshotIndex;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * All queries on the events of one journal, for both faces of a read journal. The journal's table is opened with the plugin;
 * a query makes no request before it runs, and what is wrong with it fails its stream. Thread-safe.
 */
public final class Queries {

    private final QueryConfig config;
    private final Gate<OpenedJournal> gate;
    private final Supplier<Gate<OpenedSnapshots>> snapshots;
    private final Envelopes envelopes;
    private final Lane lane;
    private final @Nullable Wakeups wakeups;
    private final QueryListener listener;
    // The first query that needs it makes it, because it belongs to the index that the gate opens. Guarded by this.
    private SliceStage.@Nullable Shared slices;

    public Queries(ExtendedActorSystem system, Config config, String path) {
        Dynajournal dynajournal = Dynajournal.get(system);
        this.config = dynajournal.queries(config, path);
        this.gate = dynajournal.journal(this.config.standsAlone() ? path : this.config.journal());
        this.snapshots = () -> dynajournal.snapshots(this.config.snapshots());
        this.envelopes = new Envelopes(system, adapters(system, dynajournal));
        this.lane = new Lane(this.config.reader().parallelism());
        this.listener = dynajournal.queryListener();
        this.wakeups = dynajournal.news(this.config.journal()).heardBy(this.config.push());
    }

    /**
     * The event adapters of the journal. To ask the toolkit for them starts the journal; one that only writes what is read
     * here may not be meant to run, so its settings are read instead.
     */
    private EventAdapters adapters(ExtendedActorSystem system, Dynajournal dynajournal) {
        return config.standsAlone()
                ? EventAdapters.apply(system, dynajournal.journalSettings(config.journal()))
                : Persistence.get(system).adaptersFor(config.journal());
    }

    /** Opens the table when the stream starts, not before. */
    private <T> Source<T, NotUsed> opened(Function<OpenedReads, Source<T, NotUsed>> query) {
        return Source.lazyCompletionStageSource(
                        () -> gate.use(journal -> CompletableFuture.completedFuture(query.apply(journal.reads()))))
                .mapMaterializedValue(done -> NotUsed.getInstance());
    }

    /** The events of an id; see {@link akka.persistence.query.javadsl.EventsByPersistenceIdQuery}. */
    public Source<EventEnvelope, NotUsed> byId(String persistenceId, long from, long to, boolean live) {
        IdQuery query = new IdQuery(persistenceId, from, to, live);
        return opened(reads -> found(reads, query))
                .mapAsync(1, envelopes::classic)
                .mapConcat(adapted -> adapted);
    }

    /** The same in the envelopes of queries by slice. */
    public <E> Source<akka.persistence.query.typed.EventEnvelope<E>, NotUsed> byIdTyped(
            String persistenceId, long from, long to, boolean live) {
        IdQuery query = new IdQuery(persistenceId, from, to, live);
        return opened(reads -> found(reads, query))
                .mapAsync(1, envelopes::<E>typed)
                .mapConcat(adapted -> adapted);
    }

    private Source<Found, NotUsed> found(OpenedReads reads, IdQuery query) {
        return Source.fromGraph(new IdStage(
                new IdStage.Shared(reads.log(), lane, config.reader().pace(), Clock.systemUTC(), wakeups, listener),
                query));
    }

    /**
     * The newest snapshot of an id between two numbers, and the events behind it; all events if there is none.
     *
     * @param event makes an event of the snapshot
     */
    public <S, E> Source<akka.persistence.query.typed.EventEnvelope<E>, NotUsed> byIdFromSnapshot(
            String persistenceId, long from, long to, Function<S, E> event, boolean live) {
        SnapshotCriteria criteria = new SnapshotCriteria(Math.max(1, from), to, 0, Long.MAX_VALUE);
        return Source.lazyCompletionStageSource(() -> snapshots
                        .get()
                        .use(opened -> lane.run(() -> opened.table().load(persistenceId, criteria))
                                .thenApply(newest -> fromSnapshot(newest, persistenceId, from, to, event, live))))
                .mapMaterializedValue(done -> NotUsed.getInstance());
    }

    private <S, E> Source<akka.persistence.query.typed.EventEnvelope<E>, NotUsed> fromSnapshot(
            Optional<StoredSnapshot> newest,
            String persistenceId,
            long from,
            long to,
            Function<S, E> event,
            boolean live) {
        if (newest.isEmpty()) {
            return byIdTyped(persistenceId, from, to, live);
        }
        StoredSnapshot snapshot = newest.get();
        return Source.completionStage(envelopes.<S, E>ofSnapshot(snapshot, Envelopes.offset(snapshot), event))
                .mapMaterializedValue(done -> NotUsed.getInstance())
                .concatLazy(Source.lazySource(() -> this.<E>byIdTyped(persistenceId, snapshot.seqNr() + 1, to, live)));
    }

    /** The events of some slices of an entity type; see {@link akka.persistence.query.typed.javadsl.EventsBySliceQuery}. */
    public <E> Source<akka.persistence.query.typed.EventEnvelope<E>, NotUsed> bySlices(
            String entityType, int minSlice, int maxSlice, Offset offset, boolean live) {
        return opened(reads -> found(
                        reads,
                        new SliceQuery(
                                Set.of(entityType), new SliceRange(minSlice, maxSlice), null, start(offset), live)))
                .mapAsync(1, envelopes::<E>typed)
                .mapConcat(adapted -> adapted);
    }

    /**
     * The newest snapshot of each entity, then the events behind them; see {@link #bySlices}. The offset of a snapshot is
     * the one that the query was given: until the last of them is handed over, a consumer that starts again must start from
     * there, because events of any time are still to come.
     *
     * @param event makes an event of a snapshot
     */
    public <S, E> Source<akka.persistence.query.typed.EventEnvelope<E>, NotUsed> bySlicesFromSnapshots(
            String entityType, int minSlice, int maxSlice, Offset offset, Function<S, E> event, boolean live) {
        return Source.lazyCompletionStageSource(() ->
                        gate.use(journal -> snapshots.get().use(opened -> {
                            SliceQuery query = new SliceQuery(
                                    Set.of(entityType), new SliceRange(minSlice, maxSlice), null, start(offset), live);
                            Offset given = Envelopes.given(offset);
                            SliceIndex events = index(journal.reads());
                            NewestSnapshots newest = new NewestSnapshots(index(opened), lane, query, config.reader());
                            return CompletableFuture.completedFuture(newest.source(entityType)
                                    .mapAsync(1, snapshot -> envelopes.<S, E>ofSnapshot(snapshot, given, event))
                                    .concatLazy(Source.lazySource(() -> found(events, query.behind(newest.numbers()))
                                            .mapAsync(1, envelopes::<E>typed)
                                            .mapConcat(adapted -> adapted))));
                        })))
                .mapMaterializedValue(done -> NotUsed.getInstance());
    }

    private SnapshotIndex index(OpenedSnapshots opened) {
        return opened.slices()
                .orElseThrow(() -> new UnsupportedOperationException("Table " + opened.name()
                        + " has no index by slice, which queries by slice that start from snapshots read. The layouts"
                        + " commits (set " + config.snapshots()
                        + ".index.slices = on and add the index to the table) and akka2 have one"));
    }

    /** The events with a tag, of all entity types; see {@link akka.persistence.query.javadsl.EventsByTagQuery}. */
    public Source<EventEnvelope, NotUsed> byTag(String tag, Offset offset, boolean live) {
        return opened(reads -> reads.tagged()
                        .map(tagged -> TagSource.of(tagged, lane, reads.table(), tag, start(offset), live))
                        .orElseGet(() -> found(
                                reads, new SliceQuery(config.entityTypes(), SliceRange.ALL, tag, start(offset), live))))
                .mapAsync(1, envelopes::classic)
                .mapConcat(adapted -> adapted);
    }

    private Start start(Offset offset) {
        return Envelopes.start(offset, config.reader());
    }

    private Source<Found, NotUsed> found(OpenedReads reads, SliceQuery query) {
        return found(index(reads), query);
    }

    private Source<Found, NotUsed> found(SliceIndex index, SliceQuery query) {
        return Source.fromGraph(new SliceStage<>(shared(index), query, () -> new EventContents(index, query)));
    }

    private SliceIndex index(OpenedReads reads) {
        return reads.slices()
                .orElseThrow(() -> new UnsupportedOperationException("Table " + reads.table()
                        + " has no index by slice, which queries by slice and by tag read. Tables of the layouts"
                        + " commits (with index.slices = on) and akka2 (with slice-index = on) have one"));
    }

    private synchronized SliceStage.Shared shared(SliceIndex index) {
        SliceStage.Shared there = slices;
        if (there == null) {
            there = new SliceStage.Shared(
                    index, new SharedPages(index, lane), lane, config.reader(), wakeups, listener);
            slices = there;
        }
        return there;
    }

    /** When an event was written; empty if it is not there. */
    public CompletionStage<Optional<Instant>> timestampOf(String persistenceId, long seqNr) {
        return one(persistenceId, seqNr)
                .thenApply(found -> found.map(there -> {
                    if (there.event().timestampMicros() == 0) {
                        throw new UnsupportedOperationException("Event " + seqNr + " of " + persistenceId
                                + " was stored without its time. The layouts commits, akka2 and j5ik2o store it");
                    }
                    return Envelopes.instant(there.event().timestampMicros());
                }));
    }

    /** One event; fails with {@link NoSuchElementException} if it is not there. */
    public <E> CompletionStage<akka.persistence.query.typed.EventEnvelope<E>> load(String persistenceId, long seqNr) {
        return one(persistenceId, seqNr)
                .thenCompose(found -> found.isEmpty()
                        ? CompletableFuture.completedFuture(List.<akka.persistence.query.typed.EventEnvelope<E>>of())
                        : envelopes.<E>typed(found.get()))
                .thenApply(adapted -> adapted.stream()
                        .findFirst()
                        .orElseThrow(() -> new NoSuchElementException(
                                "There is no event " + seqNr + " of " + persistenceId + ", or it was deleted")));
    }

    private CompletionStage<Optional<Found>> one(String persistenceId, long seqNr) {
        if (seqNr < 1) {
            return CompletableFuture.completedFuture(Optional.empty());
        }
        return gate.use(journal -> lane.run(
                        () -> journal.reads().log().read(persistenceId, SeqRange.singleEvents(seqNr, seqNr, 1), null))
                .thenApply(page -> page.events().stream()
                        .findFirst()
                        .map(event -> new Found(event, Clock.systemUTC().millis() * 1000))));
    }

    /** The last number that was used for an event of an id; empty if there never was one. */
    public CompletionStage<Optional<Long>> lastSeqNr(String persistenceId) {
        return gate.use(journal -> lane.run(() -> journal.reads().log().end(persistenceId)))
                .thenApply(end -> end.seqNr() == 0 ? Optional.empty() : Optional.of(end.seqNr()));
    }

    /** All ids; with a limit and an id to begin behind, a page of them. */
    public Source<String, NotUsed> currentIds(@Nullable String entityType, @Nullable String behind, long limit) {
        return opened(reads -> IdSource.current(reads.ids(), lane, entityType, behind))
                .take(limit);
    }

    /** All ids, and those to come. */
    public Source<String, NotUsed> ids() {
        return opened(reads -> IdSource.live(reads.ids(), lane, config.reader()));
    }
}
