package io.dynajournal.examples.cart;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.SupervisorStrategy;
import akka.pattern.StatusReply;
import akka.persistence.typed.PersistenceId;
import akka.persistence.typed.state.javadsl.CommandHandlerWithReply;
import akka.persistence.typed.state.javadsl.CommandHandlerWithReplyBuilder;
import akka.persistence.typed.state.javadsl.DurableStateBehaviorWithEnforcedReplies;
import akka.persistence.typed.state.javadsl.ReplyEffect;
import io.dynajournal.examples.cart.ShoppingCart.AddItem;
import io.dynajournal.examples.cart.ShoppingCart.Cart;
import io.dynajournal.examples.cart.ShoppingCart.Checkout;
import io.dynajournal.examples.cart.ShoppingCart.Command;
import io.dynajournal.examples.cart.ShoppingCart.Get;
import io.dynajournal.examples.cart.ShoppingCart.RemoveItem;
import java.time.Duration;

/**
 * The shopping cart with durable state: it handles the same commands, and stores the cart as it is now instead of its
 * history.
 */
public final class StateCart extends DurableStateBehaviorWithEnforcedReplies<Command, Cart> {

    private StateCart(PersistenceId persistenceId) {
        // As for the event-sourced cart: a failed write stops the entity, which finds the outcome by recovering.
        super(
                persistenceId,
                SupervisorStrategy.restartWithBackoff(Duration.ofMillis(200), Duration.ofSeconds(10), 0.2));
    }

    public static Behavior<Command> create(String cartId) {
        return new StateCart(PersistenceId.of("StateCart", cartId));
    }

    @Override
    public Cart emptyState() {
        return Cart.EMPTY;
    }

    @Override
    public CommandHandlerWithReply<Command, Cart> commandHandler() {
        CommandHandlerWithReplyBuilder<Command, Cart> handlers = newCommandHandlerWithReplyBuilder();
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

    private ReplyEffect<Cart> addItem(Cart cart, AddItem add) {
        return add.quantity() <= 0
                ? refuse(add.replyTo(), "Not a quantity: " + add.quantity())
                : persist(cart.with(add.item(), add.quantity()), add.replyTo());
    }

    private ReplyEffect<Cart> removeItem(Cart cart, RemoveItem remove) {
        return cart.items().containsKey(remove.item())
                ? persist(cart.without(remove.item()), remove.replyTo())
                : refuse(remove.replyTo(), "Not in the cart: " + remove.item());
    }

    private ReplyEffect<Cart> checkout(Cart cart, Checkout checkout) {
        return cart.items().isEmpty()
                ? refuse(checkout.replyTo(), "The cart is empty")
                : persist(cart.closed(), checkout.replyTo());
    }

    /** The reply is sent after the state has been stored. */
    private ReplyEffect<Cart> persist(Cart cart, ActorRef<StatusReply<Cart>> replyTo) {
        return Effect().persist(cart).thenReply(replyTo, StatusReply::success);
    }

    private ReplyEffect<Cart> refuse(ActorRef<StatusReply<Cart>> replyTo, String reason) {
        return Effect().reply(replyTo, StatusReply.error(reason));
    }
}
