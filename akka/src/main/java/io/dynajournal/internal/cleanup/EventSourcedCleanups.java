package io.dynajournal.internal.cleanup;

import akka.Done;
import akka.NotUsed;
import akka.actor.ClassicActorSystemProvider;
import akka.stream.javadsl.Source;
import io.dynajournal.internal.plugin.OpenPlugins;
import io.dynajournal.internal.plugin.OpenedJournal;
import io.dynajournal.internal.plugin.OpenedSnapshots;
import io.dynajournal.internal.plugin.PluginStartup;
import io.dynajournal.internal.query.IdSource;
import io.dynajournal.internal.settings.CleanupConfig;
import io.dynajournal.internal.store.EventCleanup;
import io.dynajournal.internal.store.SnapshotTable;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Clean-ups of events and snapshots, for the Java and the Scala API. Sends no request before a clean-up is called. Thread-safe. */
public final class EventSourcedCleanups {

    private final ClassicActorSystemProvider system;
    private final OpenPlugins plugins;
    private final CleanupConfig config;
    private final CleanupRun run;

    private EventSourcedCleanups(ClassicActorSystemProvider system, CleanupConfig config, Consumer<String> onCleaned) {
        this.system = system;
        this.plugins = OpenPlugins.get(system);
        this.config = config;
        this.run = new CleanupRun(system, config, onCleaned);
    }

    /**
     * With the settings of a block.
     *
     * @throws io.dynajournal.exception.SettingsException if a setting of the block is wrong
     */
    public static EventSourcedCleanups of(ClassicActorSystemProvider system, String configPath) {
        return new EventSourcedCleanups(system, OpenPlugins.get(system).cleanup(configPath), cleaned -> {});
    }

    /** The same with a callback for each persistence id that was cleaned up. */
    public EventSourcedCleanups reporting(Consumer<String> onCleaned) {
        return new EventSourcedCleanups(system, config, onCleaned);
    }

    /**
     * The persistence ids of the journal.
     *
     * @param entityType null for all
     */
    public Source<String, NotUsed> ids(@Nullable String entityType) {
        return Source.lazyCompletionStage(() -> journal()
                        .use(opened ->
                                CompletableFuture.completedFuture(opened.reads().ids())))
                .mapMaterializedValue(opened -> NotUsed.getInstance())
                .flatMapConcat(ids -> IdSource.pages(null, entityType, ids::read));
    }

    public CompletionStage<Done> deleteEventsTo(String persistenceId, long toSeqNr) {
        return events(
                "deleteEventsTo", Source.single(persistenceId), (cleanup, id) -> cleanup.deleteEventsTo(id, toSeqNr));
    }

    public CompletionStage<Done> deleteEventsBefore(Source<String, ?> ids, Instant time) {
        long micros = ChronoUnit.MICROS.between(Instant.EPOCH, time);
        return events("deleteEventsBefore", ids, (cleanup, id) -> cleanup.deleteEventsBefore(id, micros));
    }

    public CompletionStage<Done> deleteAllEvents(Source<String, ?> ids, boolean resetSeqNr) {
        return events("deleteAllEvents", ids, (cleanup, id) -> cleanup.deleteAllEvents(id, resetSeqNr));
    }

    public CompletionStage<Done> deleteSnapshots(Source<String, ?> ids) {
        return run.run(
                "deleteSnapshots",
                ids,
                id -> snapshots().use(id, opened -> EventCleanup.deleteSnapshots(opened.table(), id)));
    }

    public CompletionStage<Done> deleteBeforeSnapshot(Source<String, ?> ids) {
        return both(
                "cleanupBeforeSnapshot",
                ids,
                (cleanup, snapshots) -> id -> cleanup.deleteBeforeSnapshot(snapshots, id));
    }

    public CompletionStage<Done> deleteAll(Source<String, ?> ids, boolean resetSeqNr) {
        return both("deleteAll", ids, (cleanup, snapshots) -> id -> cleanup.deleteAll(snapshots, id, resetSeqNr));
    }

    public CompletionStage<Done> setExpiryForEvents(String persistenceId, long toSeqNr, Instant expiry) {
        return events(
                "setExpiryForEvents",
                Source.single(persistenceId),
                (cleanup, id) -> cleanup.expireEventsTo(id, toSeqNr, expiry.getEpochSecond()));
    }

    public CompletionStage<Done> setExpiryForAllEvents(Source<String, ?> ids, boolean resetSeqNr, Instant expiry) {
        return events(
                "setExpiryForAllEvents",
                ids,
                (cleanup, id) -> cleanup.expireAllEvents(id, expiry.getEpochSecond(), resetSeqNr));
    }

    public CompletionStage<Done> setExpiryForSnapshots(Source<String, ?> ids, Instant expiry) {
        return run.run(
                "setExpiryForSnapshots",
                ids,
                id -> snapshots()
                        .use(id, opened -> EventCleanup.expireSnapshots(opened.table(), id, expiry.getEpochSecond())));
    }

    public CompletionStage<Done> setExpiryForEventsBeforeSnapshots(Source<String, ?> ids, Instant expiry) {
        return both(
                "setExpiryForEventsBeforeSnapshots",
                ids,
                (cleanup, snapshots) -> id -> cleanup.expireBeforeSnapshot(snapshots, id, expiry.getEpochSecond()));
    }

    public CompletionStage<Done> setExpiryForAllEventsAndSnapshots(
            Source<String, ?> ids, boolean resetSeqNr, Instant expiry) {
        return both(
                "setExpiryForAllEventsAndSnapshots",
                ids,
                (cleanup, snapshots) -> id -> cleanup.expireAll(snapshots, id, expiry.getEpochSecond(), resetSeqNr));
    }

    private CompletionStage<Done> events(
            String name, Source<String, ?> ids, BiFunction<EventCleanup, String, CompletionStage<Void>> operation) {
        return run.run(name, ids, id -> journal().use(id, opened -> operation.apply(cleanup(opened), id)));
    }

    private CompletionStage<Done> both(
            String name,
            Source<String, ?> ids,
            BiFunction<EventCleanup, SnapshotTable, Function<String, CompletionStage<Void>>> operation) {
        return run.run(
                name,
                ids,
                id -> snapshots()
                        .use(
                                id,
                                store -> journal()
                                        .use(opened -> operation
                                                .apply(cleanup(opened), store.table())
                                                .apply(id))));
    }

    private static EventCleanup cleanup(OpenedJournal opened) {
        return new EventCleanup(opened.events(), opened.reads().log());
    }

    private PluginStartup<OpenedJournal> journal() {
        return plugins.journal(config.journal());
    }

    private PluginStartup<OpenedSnapshots> snapshots() {
        return plugins.snapshots(config.snapshots());
    }
}
