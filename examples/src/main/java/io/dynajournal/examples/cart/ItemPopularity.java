package io.dynajournal.examples.cart;

import akka.actor.typed.ActorSystem;
import akka.actor.typed.Behavior;
import akka.persistence.query.Offset;
import akka.persistence.query.typed.EventEnvelope;
import akka.projection.ProjectionBehavior;
import akka.projection.ProjectionId;
import akka.projection.eventsourced.javadsl.EventSourcedProvider;
import akka.projection.javadsl.SourceProvider;
import io.dynajournal.projection.javadsl.DynajournalProjection;
import io.dynajournal.projection.javadsl.DynajournalTransactHandler;
import io.dynajournal.query.javadsl.DynajournalReadJournal;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;

/**
 * Projects the events of all carts into {@link PopularItems}, exactly once: the counts of a group of events and its offset are
 * stored in one transaction, so that a crash neither loses an event nor counts it twice.
 */
public final class ItemPopularity implements DynajournalTransactHandler<List<EventEnvelope<ShoppingCart.Event>>> {

    public static final ProjectionId ID = ProjectionId.of("item-popularity", "0-1023");

    private ItemPopularity() {}

    /** The projection as an actor. A cluster would run one for each range of slices. */
    public static Behavior<ProjectionBehavior.Command> create(ActorSystem<?> system) {
        SourceProvider<Offset, EventEnvelope<ShoppingCart.Event>> events =
                EventSourcedProvider.eventsBySlices(system, DynajournalReadJournal.IDENTIFIER, "ShoppingCart", 0, 1023);
        // A transaction has at most 100 items; a group takes up to 40 for offsets and as many for the counts.
        return ProjectionBehavior.create(
                DynajournalProjection.exactlyOnceGroupedWithin(ID, events, ItemPopularity::new, system)
                        .withGroup(40, Duration.ofMillis(200)));
    }

    /** A transaction may have only one update of an item, so the events of the group are added up first. */
    @Override
    public CompletionStage<Collection<TransactWriteItem>> process(List<EventEnvelope<ShoppingCart.Event>> group) {
        Map<String, PopularItems.Count> counts = new LinkedHashMap<>();
        for (EventEnvelope<ShoppingCart.Event> envelope : group) {
            if (envelope.event() instanceof ShoppingCart.ItemAdded added) {
                counts.merge(
                        added.item(),
                        new PopularItems.Count(added.item(), added.quantity(), 1),
                        PopularItems.Count::plus);
            }
        }
        return CompletableFuture.completedFuture(
                counts.values().stream().map(ItemPopularity::update).toList());
    }

    private static TransactWriteItem update(PopularItems.Count count) {
        return TransactWriteItem.builder()
                .update(update -> update.tableName(PopularItems.TABLE)
                        .key(Map.of("item", AttributeValue.fromS(count.item())))
                        .updateExpression("ADD quantity :quantity, additions :additions")
                        .expressionAttributeValues(Map.of(
                                ":quantity", AttributeValue.fromN(Long.toString(count.quantity())),
                                ":additions", AttributeValue.fromN(Long.toString(count.additions())))))
                .build();
    }
}
