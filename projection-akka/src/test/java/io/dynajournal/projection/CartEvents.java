package io.dynajournal.projection;

// region:complete
import akka.actor.typed.ActorSystem;
import akka.cluster.sharding.typed.ShardedDaemonProcessSettings;
import akka.cluster.sharding.typed.javadsl.ShardedDaemonProcess;
import akka.japi.Pair;
import akka.persistence.query.Offset;
import akka.persistence.query.typed.EventEnvelope;
import akka.projection.Projection;
import akka.projection.ProjectionBehavior;
import akka.projection.ProjectionId;
import akka.projection.eventsourced.javadsl.EventSourcedProvider;
import akka.projection.javadsl.SourceProvider;
import io.dynajournal.projection.javadsl.DynajournalProjection;
import io.dynajournal.projection.javadsl.DynajournalTransactHandler;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;

/** The number of events of each cart, in the table cart_events with the key "cart". */
final class CartEvents implements DynajournalTransactHandler<EventEnvelope<Object>> {

    private static final String QUERY = "dynajournal.query";
    private static final int INSTANCES = 4;

    /** Runs on every node of the cluster; each range of slices has one instance in all. */
    static void start(ActorSystem<?> system) {
        List<Pair<Integer, Integer>> ranges = EventSourcedProvider.sliceRanges(system, QUERY, INSTANCES);
        ShardedDaemonProcess.get(system)
                .init(
                        ProjectionBehavior.Command.class,
                        "cart-events",
                        INSTANCES,
                        instance -> ProjectionBehavior.create(projection(system, ranges.get(instance))),
                        ShardedDaemonProcessSettings.create(system),
                        Optional.of(ProjectionBehavior.stopMessage()));
    }

    private static Projection<EventEnvelope<Object>> projection(ActorSystem<?> system, Pair<Integer, Integer> slices) {
        SourceProvider<Offset, EventEnvelope<Object>> events =
                EventSourcedProvider.eventsBySlices(system, QUERY, "ShoppingCart", slices.first(), slices.second());
        return DynajournalProjection.exactlyOnce(
                        ProjectionId.of("cart-events", slices.first() + "-" + slices.second()),
                        events,
                        CartEvents::new,
                        system)
                .withRestartBackoff(Duration.ofSeconds(1), Duration.ofSeconds(30), 0.2);
    }

    @Override
    public CompletionStage<Collection<TransactWriteItem>> process(EventEnvelope<Object> envelope) {
        return CompletableFuture.completedFuture(List.of(TransactWriteItem.builder()
                .update(update -> update.tableName("cart_events")
                        .key(Map.of("cart", AttributeValue.fromS(envelope.persistenceId())))
                        .updateExpression("ADD events :one")
                        .expressionAttributeValues(Map.of(":one", AttributeValue.fromN("1"))))
                .build()));
    }
}
// endregion
