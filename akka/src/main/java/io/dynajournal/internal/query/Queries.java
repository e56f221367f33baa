package io.dynajournal.internal.query;

import akka.NotUsed;
import akka.actor.ExtendedActorSystem;
import akka.persistence.Persistence;
import akka.persistence.journal.EventAdapters;
import akka.persistence.query.EventEnvelope;
import akka.persistence.query.Offset;
import akka.stream.javadsl.Source;
import com.typesafe.config.Config;
import io.dynajournal.internal.model.SeqRange;
import io.dynajournal.internal.model.SliceRange;
import io.dynajournal.internal.model.SnapshotCriteria;
import io.dynajournal.internal.model.StoredSnapshot;
import io.dynajournal.internal.plugin.OpenPlugins;
import io.dynajournal.internal.plugin.OpenedJournal;
import io.dynajournal.internal.plugin.OpenedReads;
import io.dynajournal.internal.plugin.OpenedSnapshots;
import io.dynajournal.internal.plugin.PluginStartup;
import io.dynajournal.internal.plugin.Wakeups;
import io.dynajournal.internal.settings.QueryConfig;
import io.dynajournal.internal.slices.ResumePoint;
import io.dynajournal.internal.store.SliceIndex;
import io.dynajournal.internal.store.SnapshotIndex;
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
 * The queries on the events of one journal, for the read journals of Java and Scala. A query makes no request before its
 * stream runs, and whatever is wrong with it fails the stream. Live queries wait until the plugins they read are open.
 * Thread-safe.
 */
public final class Queries {

    private final QueryConfig config;
    private final PluginStartup<OpenedJournal> journal;
    private final Supplier<PluginStartup<OpenedSnapshots>> snapshots;
    private final Envelopes envelopes;
    private final RequestLimiter limiter;
    private final @Nullable Wakeups wakeups;
    private final QueryProgress.Reports reports;
    // Created by the first query by slice, because it needs the opened index. Guarded by this.
    private SliceStage.@Nullable Shared slices;

    public Queries(ExtendedActorSystem system, Config config, String path) {
        OpenPlugins dynajournal = OpenPlugins.get(system);
        this.config = dynajournal.queries(config, path);
        this.journal = dynajournal.journal(this.config.standsAlone() ? path : this.config.journal());
        this.snapshots = () -> dynajournal.snapshots(this.config.snapshots());
        this.envelopes = new Envelopes(system, adapters(system, dynajournal));
        this.limiter = new RequestLimiter(this.config.reader().parallelism());
        this.reports = new QueryProgress.Reports(dynajournal.queryListener(), dynajournal.latestProgress());
        this.wakeups = dynajournal.notifications(this.config.journal()).heardBy(this.config.push());
    }

    /**
     * The event adapters of the journal. Asking the toolkit for them would start the journal plugin. A read journal with
     * table settings of its own does not need that plugin to run, so it reads the plugin's settings instead.
     */
    private EventAdapters adapters(ExtendedActorSystem system, OpenPlugins dynajournal) {
        return config.standsAlone()
                ? EventAdapters.apply(system, dynajournal.journalSettings(config.journal()))
                : Persistence.get(system).adaptersFor(config.journal());
    }

    private <T> Source<T, NotUsed> current(Function<OpenedReads, Source<T, NotUsed>> query) {
        return OpenedSource.current(journal, opened -> query.apply(opened.reads()));
    }

    private <P, T> Source<T, NotUsed> opened(
            PluginStartup<P> startup, boolean live, Object query, Function<P, Source<T, NotUsed>> source) {
        return live
                ? OpenedSource.live(startup, reports, query.toString(), source)
                : OpenedSource.current(startup, source);
    }

    /** Creates the stream when it runs, so that wrong arguments fail the stream. */
    private static <T> Source<T, NotUsed> lazy(Supplier<Source<T, NotUsed>> source) {
        return Source.lazySource(() -> {
                    try {
                        return source.get();
                    } catch (RuntimeException e) {
                        return Source.<T>failed(e);
                    }
                })
                .mapMaterializedValue(done -> NotUsed.getInstance());
    }

    /** The events of a persistence id; see {@link akka.persistence.query.javadsl.EventsByPersistenceIdQuery}. */
    public Source<EventEnvelope, NotUsed> byId(String persistenceId, long fromSeqNr, long toSeqNr, boolean live) {
        return events(new IdQuery(persistenceId, fromSeqNr, toSeqNr, live))
                .mapAsync(1, envelopes::classic)
                .mapConcat(adapted -> adapted);
    }

    /** Like {@link #byId}, in the envelopes of queries by slice. */
    public <E> Source<akka.persistence.query.typed.EventEnvelope<E>, NotUsed> byIdTyped(
            String persistenceId, long fromSeqNr, long toSeqNr, boolean live) {
        return events(new IdQuery(persistenceId, fromSeqNr, toSeqNr, live))
                .mapAsync(1, envelopes::<E>typed)
                .mapConcat(adapted -> adapted);
    }

    private Source<ReadEvent, NotUsed> events(IdQuery query) {
        return opened(
                journal,
                query.live(),
                query,
                opened -> Source.fromGraph(new IdStage(
                        new IdStage.Shared(
                                opened.reads().log(),
                                limiter,
                                config.reader().schedule(),
                                Clock.systemUTC(),
                                wakeups,
                                reports),
                        query)));
    }

    /**
     * The newest snapshot of an id between two sequence numbers, then the events after it; all events if there is no such
     * snapshot.
     *
     * @param toEvent converts the snapshot to an event
     */
    public <S, E> Source<akka.persistence.query.typed.EventEnvelope<E>, NotUsed> byIdFromSnapshot(
            String persistenceId, long fromSeqNr, long toSeqNr, Function<S, E> toEvent, boolean live) {
        IdQuery query = new IdQuery(persistenceId, fromSeqNr, toSeqNr, live);
        SnapshotCriteria criteria = new SnapshotCriteria(Math.max(1, fromSeqNr), toSeqNr, 0, Long.MAX_VALUE);
        return lazy(() -> opened(
                snapshots.get(),
                live,
                query,
                opened -> Source.completionStage(
                                limiter.run(() -> opened.table().load(persistenceId, criteria)))
                        .flatMapConcat(newest -> fromSnapshot(newest, query, toEvent))));
    }

    private <S, E> Source<akka.persistence.query.typed.EventEnvelope<E>, NotUsed> fromSnapshot(
            Optional<StoredSnapshot> newest, IdQuery query, Function<S, E> toEvent) {
        if (newest.isEmpty()) {
            return byIdTyped(query.persistenceId(), query.fromSeqNr(), query.toSeqNr(), query.live());
        }
        StoredSnapshot snapshot = newest.get();
        return Source.completionStage(envelopes.<S, E>ofSnapshot(snapshot, Envelopes.offset(snapshot), toEvent))
                .mapMaterializedValue(done -> NotUsed.getInstance())
                .concatLazy(lazy(() ->
                        this.<E>byIdTyped(query.persistenceId(), snapshot.seqNr() + 1, query.toSeqNr(), query.live())));
    }

    /** The events of some slices of an entity type; see {@link akka.persistence.query.typed.javadsl.EventsBySliceQuery}. */
    public <E> Source<akka.persistence.query.typed.EventEnvelope<E>, NotUsed> bySlices(
            String entityType, int minSlice, int maxSlice, Offset offset, boolean live) {
        return lazy(() -> {
                    SliceQuery query = slices(entityType, minSlice, maxSlice, offset, live);
                    return opened(
                            journal,
                            live,
                            query,
                            opened -> live
                                    ? observed(entityType, opened.reads(), events(index(opened.reads()), query))
                                    : events(index(opened.reads()), query));
                })
                .mapAsync(1, envelopes::<E>typed)
                .mapConcat(adapted -> adapted);
    }

    /** Informs the QueryObserver among the stream's attributes, if there is one, of what the stream reads. */
    private <T> Source<T, NotUsed> observed(String entityType, OpenedReads reads, Source<T, NotUsed> events) {
        return Source.fromMaterializer((materializer, attributes) -> {
                    attributes
                            .getAttribute(QueryObserver.class)
                            .ifPresent(observer -> observer.started(new QueryObserver.Reading(
                                    entityType,
                                    reads.log(),
                                    reads.ids(),
                                    config.reader().backtrackingWindow())));
                    return events;
                })
                .mapMaterializedValue(done -> NotUsed.getInstance());
    }

    private SliceQuery slices(String entityType, int minSlice, int maxSlice, Offset offset, boolean live) {
        return new SliceQuery(Set.of(entityType), new SliceRange(minSlice, maxSlice), null, resumePoint(offset), live);
    }

    /**
     * The newest snapshot of each entity, then the events after the snapshots; see {@link #bySlices}. The offset of a
     * snapshot is the one that the query was started from: a consumer that restarts before the last snapshot was delivered
     * must start from there again, because events of any time are still to come.
     *
     * @param toEvent converts a snapshot to an event
     */
    public <S, E> Source<akka.persistence.query.typed.EventEnvelope<E>, NotUsed> bySlicesFromSnapshots(
            String entityType, int minSlice, int maxSlice, Offset offset, Function<S, E> toEvent, boolean live) {
        return lazy(() -> {
            SliceQuery query = slices(entityType, minSlice, maxSlice, offset, live);
            return opened(
                    journal,
                    live,
                    query,
                    events -> opened(
                            snapshots.get(),
                            live,
                            query,
                            opened -> fromSnapshots(
                                    entityType, index(events.reads()), index(opened), query, offset, toEvent)));
        });
    }

    private <S, E> Source<akka.persistence.query.typed.EventEnvelope<E>, NotUsed> fromSnapshots(
            String entityType,
            SliceIndex events,
            SnapshotIndex index,
            SliceQuery query,
            Offset offset,
            Function<S, E> toEvent) {
        Offset given = Envelopes.given(offset);
        NewestSnapshots newest = new NewestSnapshots(index, limiter, query, config.reader());
        return newest.source(entityType)
                .mapAsync(1, snapshot -> envelopes.<S, E>ofSnapshot(snapshot, given, toEvent))
                .concatLazy(lazy(() -> events(events, query.after(newest.deliveredSeqNrs()))
                        .mapAsync(1, envelopes::<E>typed)
                        .mapConcat(adapted -> adapted)));
    }

    private SnapshotIndex index(OpenedSnapshots opened) {
        return opened.slices()
                .orElseThrow(() -> new UnsupportedOperationException("Table " + opened.name()
                        + " has no index by slice, which queries by slice that start from snapshots read. With the layout"
                        + " commits, set " + config.snapshots()
                        + ".index.slices = on and add the index to the table; the layout akka2 has one too"));
    }

    /** The events with a tag, of all entity types; see {@link akka.persistence.query.javadsl.EventsByTagQuery}. */
    public Source<EventEnvelope, NotUsed> byTag(String tag, Offset offset, boolean live) {
        return lazy(() -> {
                    SliceQuery query =
                            new SliceQuery(config.entityTypes(), SliceRange.ALL, tag, resumePoint(offset), live);
                    return opened(journal, live, query, opened -> byTag(opened.reads(), tag, query));
                })
                .mapConcat(adapted -> adapted);
    }

    private Source<List<EventEnvelope>, NotUsed> byTag(OpenedReads reads, String tag, SliceQuery query) {
        if (reads.tagsInPayloads()) {
            TagSource.checkReadsAll(reads.table(), query.start(), query.live());
            return currentIds(null, null, Long.MAX_VALUE)
                    .flatMapMerge(
                            config.reader().parallelism(),
                            id -> events(new IdQuery(id, 1, Long.MAX_VALUE, false))
                                    .mapAsync(1, read -> envelopes.classicWithTag(read, tag)));
        }
        return reads.tagged()
                .map(tagged -> TagSource.of(tagged, limiter, reads.table(), tag, query.start(), query.live()))
                .orElseGet(() -> events(index(reads), query))
                .mapAsync(1, envelopes::classic);
    }

    private ResumePoint resumePoint(Offset offset) {
        return Envelopes.resumePoint(offset, config.reader());
    }

    private Source<ReadEvent, NotUsed> events(SliceIndex index, SliceQuery query) {
        return Source.fromGraph(new SliceStage<>(shared(index), query, () -> new EventContents(index, query)));
    }

    private SliceIndex index(OpenedReads reads) {
        return reads.slices()
                .orElseThrow(() -> new UnsupportedOperationException("Table " + reads.table()
                        + " has no index by slice, which queries by slice and by tag read. With the layout commits, set "
                        + config.journal() + ".index.slices = on and add the index to the table; with akka2, set"
                        + " slice-index = on"));
    }

    private synchronized SliceStage.Shared shared(SliceIndex index) {
        SliceStage.Shared shared = slices;
        if (shared == null) {
            shared = new SliceStage.Shared(
                    index, new SharedPages(index, limiter), limiter, config.reader(), wakeups, reports);
            slices = shared;
        }
        return shared;
    }

    /** When an event was written; empty if it does not exist. */
    public CompletionStage<Optional<Instant>> timestampOf(String persistenceId, long seqNr) {
        return one(persistenceId, seqNr)
                .thenApply(found -> found.map(read -> {
                    if (read.event().timestampMicros() == 0) {
                        throw new UnsupportedOperationException("The event " + seqNr + " of " + persistenceId
                                + " was stored without a timestamp. The layouts commits, akka2 and j5ik2o store one");
                    }
                    return Envelopes.instant(read.event().timestampMicros());
                }));
    }

    /** One event; fails with {@link NoSuchElementException} if it does not exist. */
    public <E> CompletionStage<akka.persistence.query.typed.EventEnvelope<E>> load(String persistenceId, long seqNr) {
        return one(persistenceId, seqNr)
                .thenCompose(found -> found.isEmpty()
                        ? CompletableFuture.completedFuture(List.<akka.persistence.query.typed.EventEnvelope<E>>of())
                        : envelopes.<E>typed(found.get()))
                .thenApply(adapted -> adapted.stream()
                        .findFirst()
                        .orElseThrow(() -> new NoSuchElementException(
                                "Persistence id " + persistenceId + " has no event with sequence number " + seqNr
                                        + ": it was not written yet, or was deleted")));
    }

    private CompletionStage<Optional<ReadEvent>> one(String persistenceId, long seqNr) {
        if (seqNr < 1) {
            return CompletableFuture.completedFuture(Optional.empty());
        }
        return journal.use(opened -> limiter.run(
                        () -> opened.reads().log().read(persistenceId, SeqRange.singleEvents(seqNr, seqNr, 1), null))
                .thenApply(page -> page.events().stream()
                        .findFirst()
                        .map(event -> new ReadEvent(event, Clock.systemUTC().millis() * 1000))));
    }

    /** The last sequence number of a persistence id, also when its events are deleted; empty if it never had an event. */
    public CompletionStage<Optional<Long>> lastSeqNr(String persistenceId) {
        return journal.use(opened -> limiter.run(() -> opened.reads().log().end(persistenceId)))
                .thenApply(end -> end.seqNr() == 0 ? Optional.empty() : Optional.of(end.seqNr()));
    }

    /** All persistence ids; with a limit and an id to start after, a page of them. */
    public Source<String, NotUsed> currentIds(@Nullable String entityType, @Nullable String afterId, long limit) {
        return current(reads -> IdSource.current(reads.ids(), limiter, entityType, afterId))
                .take(limit);
    }

    /** All persistence ids, and those written later. */
    public Source<String, NotUsed> ids() {
        String query = "live query of all persistence ids";
        return opened(
                journal,
                true,
                query,
                opened -> IdSource.live(
                        opened.reads().ids(), limiter, config.reader(), new QueryProgress(reports, query)));
    }
}
