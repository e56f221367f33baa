package io.dynajournal.examples.cart;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.SupervisorStrategy;
import akka.pattern.StatusReply;
import akka.persistence.typed.PersistenceId;
import akka.persistence.typed.javadsl.CommandHandlerWithReply;
import akka.persistence.typed.javadsl.CommandHandlerWithReplyBuilder;
import akka.persistence.typed.javadsl.EventHandler;
import akka.persistence.typed.javadsl.EventSourcedBehaviorWithEnforcedReplies;
import akka.persistence.typed.javadsl.ReplyEffect;
import akka.persistence.typed.javadsl.RetentionCriteria;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/**
 * A shopping cart that stores its events in DynamoDB.
 *
 * <p>Nothing here names Dynajournal: an entity is written against the toolkit, and application.conf chooses the journal
 * and the snapshot store. A cart that has answered a command with success has its event stored, so that it is the same
 * cart after a restart, on this machine or on another.
 *
 * <p>In a cluster, sharding runs each cart once. If a cart runs twice all the same, after a network partition for example, the
 * journal rejects the writes of one of the two, and the history stays that of one cart.
 */
public final class ShoppingCart
        extends EventSourcedBehaviorWithEnforcedReplies<ShoppingCart.Command, ShoppingCart.Event, ShoppingCart.Cart> {

    /** Commands, serializable because in a cluster they may come from another node. */
    public sealed interface Command extends CborSerializable {}

    public record AddItem(String item, int quantity, ActorRef<StatusReply<Cart>> replyTo) implements Command {}

    public record RemoveItem(String item, ActorRef<StatusReply<Cart>> replyTo) implements Command {}

    public record Checkout(@JsonProperty("replyTo") ActorRef<StatusReply<Cart>> replyTo) implements Command {}

    public record Get(@JsonProperty("replyTo") ActorRef<Cart> replyTo) implements Command {}

    /**
     * What has happened to a cart. Events are stored for years: their class names and component names are part of the stored
     * bytes. A record with a single component needs its name in an annotation, because Jackson 2.11, which comes with Akka 2.6,
     * could not read it otherwise.
     */
    public sealed interface Event extends CborSerializable {}

    public record ItemAdded(String item, int quantity) implements Event {}

    public record ItemRemoved(@JsonProperty("item") String item) implements Event {}

    public record CheckedOut(@JsonProperty("time") Instant time) implements Event {}

    /** The state, the result of all events so far. It is immutable, so it is also the reply to commands. */
    public record Cart(Map<String, Integer> items, boolean checkedOut) implements CborSerializable {

        public static final Cart EMPTY = new Cart(Map.of(), false);

        public Cart {
            items = Map.copyOf(items);
        }

        Cart with(String item, int quantity) {
            Map<String, Integer> more = new HashMap<>(items);
            more.merge(item, quantity, Integer::sum);
            return new Cart(more, checkedOut);
        }

        Cart without(String item) {
            Map<String, Integer> less = new HashMap<>(items);
            less.remove(item);
            return new Cart(less, checkedOut);
        }

        Cart closed() {
            return new Cart(items, true);
        }
    }

    private ShoppingCart(PersistenceId persistenceId) {
        // A failed write stops the entity, because the event may or may not have been stored. The entity finds out by
        // recovering, with a back-off that grows while DynamoDB cannot be reached.
        super(
                persistenceId,
                SupervisorStrategy.restartWithBackoff(Duration.ofMillis(200), Duration.ofSeconds(10), 0.2));
    }

    public static Behavior<Command> create(String cartId) {
        // The entity type is part of the persistence id: "ShoppingCart|cart-1". Queries over all carts name that type.
        return new ShoppingCart(PersistenceId.of("ShoppingCart", cartId));
    }

    @Override
    public Cart emptyState() {
        return Cart.EMPTY;
    }

    @Override
    public CommandHandlerWithReply<Command, Event, Cart> commandHandler() {
        CommandHandlerWithReplyBuilder<Command, Event, Cart> handlers = newCommandHandlerWithReplyBuilder();
        handlers.forAnyState().onCommand(Get.class, (cart, get) -> Effect().reply(get.replyTo(), cart));
        handlers.forState(Cart::checkedOut)
                .onCommand(AddItem.class, add -> refuse(add.replyTo(), "The cart is checked out"))
                .onCommand(RemoveItem.class, remove -> refuse(remove.replyTo(), "The cart is checked out"))
                .onCommand(Checkout.class, checkout -> refuse(checkout.replyTo(), "The cart is checked out"));
        handlers.forAnyState()
                .onCommand(AddItem.class, this::addItem)
                .onCommand(RemoveItem.class, this::removeItem)
                .onCommand(Checkout.class, this::checkout);
        return handlers.build();
    }

    private ReplyEffect<Event, Cart> addItem(Cart cart, AddItem add) {
        return add.quantity() <= 0
                ? refuse(add.replyTo(), "Not a quantity: " + add.quantity())
                : persist(new ItemAdded(add.item(), add.quantity()), add.replyTo());
    }

    private ReplyEffect<Event, Cart> removeItem(Cart cart, RemoveItem remove) {
        return cart.items().containsKey(remove.item())
                ? persist(new ItemRemoved(remove.item()), remove.replyTo())
                : refuse(remove.replyTo(), "Not in the cart: " + remove.item());
    }

    private ReplyEffect<Event, Cart> checkout(Cart cart, Checkout checkout) {
        return cart.items().isEmpty()
                ? refuse(checkout.replyTo(), "The cart is empty")
                : persist(new CheckedOut(Instant.now()), checkout.replyTo());
    }

    /** The reply is sent after the event has been stored. */
    private ReplyEffect<Event, Cart> persist(Event event, ActorRef<StatusReply<Cart>> replyTo) {
        return Effect().persist(event).thenReply(replyTo, StatusReply::success);
    }

    private ReplyEffect<Event, Cart> refuse(ActorRef<StatusReply<Cart>> replyTo, String reason) {
        return Effect().reply(replyTo, StatusReply.error(reason));
    }

    /** Runs after an event was stored, and again for each stored event when the cart recovers: no side effects here. */
    @Override
    public EventHandler<Cart, Event> eventHandler() {
        return newEventHandlerBuilder()
                .forAnyState()
                .onEvent(ItemAdded.class, (cart, added) -> cart.with(added.item(), added.quantity()))
                .onEvent(ItemRemoved.class, (cart, removed) -> cart.without(removed.item()))
                .onEvent(CheckedOut.class, (cart, checkedOut) -> cart.closed())
                .build();
    }

    /** A recovery reads the last snapshot and the events after it, 19 at most; one older snapshot stays for safety. */
    @Override
    public RetentionCriteria retentionCriteria() {
        return RetentionCriteria.snapshotEvery(20, 2);
    }
}
