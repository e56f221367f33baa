package io.dynajournal.projection;

import akka.Done;
import akka.actor.typed.ActorSystem;
import akka.persistence.query.DurableStateChange;
import akka.persistence.query.Offset;
import akka.persistence.query.typed.EventEnvelope;
import akka.projection.Projection;
import akka.projection.ProjectionContext;
import akka.projection.ProjectionId;
import akka.projection.eventsourced.javadsl.EventSourcedProvider;
import akka.projection.javadsl.Handler;
import akka.projection.javadsl.ProjectionManagement;
import akka.projection.javadsl.SourceProvider;
import akka.stream.javadsl.FlowWithContext;
import io.dynajournal.projection.javadsl.DurableStateSourceProvider;
import io.dynajournal.projection.javadsl.DynajournalProjection;
import io.dynajournal.projection.javadsl.DynajournalTransactHandler;
import io.dynajournal.projection.javadsl.EventSourcedSnapshotProvider;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;

/** The examples of docs/projections.md, so that the build compiles them on both toolkits. */
final class ProjectionExamples {

    private ProjectionExamples() {}

    record ItemAdded(String item, int quantity) {}

    // region:exactly-once
    /** Counts how often each item was added, in the table item_popularity with the key "item". */
    static final class Popularity implements DynajournalTransactHandler<EventEnvelope<ItemAdded>> {
        @Override
        public CompletionStage<Collection<TransactWriteItem>> process(EventEnvelope<ItemAdded> envelope) {
            ItemAdded added = envelope.event();
            return CompletableFuture.completedFuture(List.of(TransactWriteItem.builder()
                    .update(update -> update.tableName("item_popularity")
                            .key(Map.of("item", AttributeValue.fromS(added.item())))
                            .updateExpression("ADD quantity :q")
                            .expressionAttributeValues(
                                    Map.of(":q", AttributeValue.fromN(Integer.toString(added.quantity())))))
                    .build()));
        }
    }

    static Projection<EventEnvelope<ItemAdded>> popularity(ActorSystem<?> system, int minSlice, int maxSlice) {
        SourceProvider<Offset, EventEnvelope<ItemAdded>> events =
                EventSourcedProvider.eventsBySlices(system, "dynajournal.query", "ShoppingCart", minSlice, maxSlice);
        return DynajournalProjection.exactlyOnce(
                ProjectionId.of("popularity", minSlice + "-" + maxSlice), events, Popularity::new, system);
    }
    // endregion

    // region:exactly-once-grouped
    static Projection<EventEnvelope<ItemAdded>> popularityInGroups(
            ActorSystem<?> system, SourceProvider<Offset, EventEnvelope<ItemAdded>> events) {
        return DynajournalProjection.exactlyOnceGroupedWithin(
                ProjectionId.of("popularity", "0-1023"),
                events,
                () -> group -> CompletableFuture.completedFuture(group.stream()
                        .map(envelope -> logEntry(envelope.persistenceId(), envelope.sequenceNr()))
                        .toList()),
                system);
    }
    // endregion

    private static TransactWriteItem logEntry(String persistenceId, long seqNr) {
        return TransactWriteItem.builder()
                .put(put -> put.tableName("log").item(Map.of("id", AttributeValue.fromS(persistenceId + "/" + seqNr))))
                .build();
    }

    // region:at-least-once
    static final class Mailer extends Handler<EventEnvelope<ItemAdded>> {
        @Override
        public CompletionStage<Done> process(EventEnvelope<ItemAdded> envelope) {
            return send(envelope.event()).thenApply(sent -> Done.getInstance());
        }
    }

    static Projection<EventEnvelope<ItemAdded>> mailer(
            ActorSystem<?> system, SourceProvider<Offset, EventEnvelope<ItemAdded>> events) {
        return DynajournalProjection.atLeastOnce(ProjectionId.of("mailer", "0-1023"), events, Mailer::new, system);
    }
    // endregion

    // region:at-least-once-grouped
    static final class SearchIndex extends Handler<List<EventEnvelope<ItemAdded>>> {
        @Override
        public CompletionStage<Done> process(List<EventEnvelope<ItemAdded>> group) {
            return sendAll(group).thenApply(sent -> Done.getInstance());
        }
    }

    static Projection<EventEnvelope<ItemAdded>> searchIndex(
            ActorSystem<?> system, SourceProvider<Offset, EventEnvelope<ItemAdded>> events) {
        return DynajournalProjection.atLeastOnceGroupedWithin(
                ProjectionId.of("search", "0-1023"), events, SearchIndex::new, system);
    }
    // endregion

    // region:flow
    static Projection<EventEnvelope<ItemAdded>> stream(
            ActorSystem<?> system, SourceProvider<Offset, EventEnvelope<ItemAdded>> events) {
        return DynajournalProjection.atLeastOnceFlow(
                ProjectionId.of("stream", "0-1023"),
                events,
                FlowWithContext.<EventEnvelope<ItemAdded>, ProjectionContext>create()
                        .mapAsync(4, envelope -> send(envelope.event()))
                        .map(sent -> Done.getInstance()),
                system);
    }
    // endregion

    // region:durable-state
    static Projection<DurableStateChange<String>> notes(
            ActorSystem<?> system, Handler<DurableStateChange<String>> handler) {
        SourceProvider<Offset, DurableStateChange<String>> changes =
                DurableStateSourceProvider.changesBySlices(system, "dynajournal.state", "Note", 0, 1023);
        return DynajournalProjection.atLeastOnce(ProjectionId.of("notes", "0-1023"), changes, () -> handler, system);
    }
    // endregion

    record Cart(int items) {}

    // region:from-snapshots
    static SourceProvider<Offset, EventEnvelope<ItemAdded>> fromSnapshots(ActorSystem<?> system) {
        return EventSourcedSnapshotProvider.<Cart, ItemAdded>eventsBySlicesStartingFromSnapshots(
                system, "dynajournal.query", "ShoppingCart", 0, 1023, cart -> new ItemAdded("all", cart.items()));
    }
    // endregion

    // region:carry-over
    /** For each range of slices, after the projection has started from now. */
    static CompletionStage<Done> projectFrom(ActorSystem<?> system, ProjectionId id, Instant time) {
        return ProjectionManagement.get(system).updateOffset(id, Offset.timestamp(time));
    }
    // endregion

    // region:management
    static CompletionStage<Done> projectEverythingAgain(ActorSystem<?> system) {
        return ProjectionManagement.get(system).clearOffset(ProjectionId.of("popularity", "0-1023"));
    }
    // endregion

    private static CompletionStage<String> send(ItemAdded event) {
        return CompletableFuture.completedFuture(event.item());
    }

    private static CompletionStage<Integer> sendAll(List<EventEnvelope<ItemAdded>> group) {
        return CompletableFuture.completedFuture(group.size());
    }
}
