package io.dynajournal.examples.cart;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.testkit.typed.javadsl.ActorTestKit;
import akka.actor.testkit.typed.javadsl.TestProbe;
import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.pattern.StatusReply;
import com.typesafe.config.ConfigFactory;
import io.dynajournal.Tables;
import io.dynajournal.examples.cart.ShoppingCart.AddItem;
import io.dynajournal.examples.cart.ShoppingCart.Cart;
import io.dynajournal.examples.cart.ShoppingCart.Checkout;
import io.dynajournal.examples.cart.ShoppingCart.Command;
import io.dynajournal.examples.cart.ShoppingCart.Get;
import io.dynajournal.examples.cart.ShoppingCart.RemoveItem;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** With the settings of application.conf, so on the embedded server. */
class ShoppingCartTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final ActorTestKit KIT = ActorTestKit.create(ConfigFactory.load());

    private final TestProbe<StatusReply<Cart>> replies = KIT.createTestProbe();

    /** Starts the server, which on a busy machine may take longer than an entity is ready to wait. */
    @BeforeAll
    static void open() {
        Tables.create(KIT.system(), "dynajournal.journal").toCompletableFuture().join();
    }

    @AfterAll
    static void stop() {
        KIT.shutdownTestKit();
    }

    @Test
    void aStoppedCartRecovers() {
        recovers(ShoppingCart::create);
    }

    @Test
    void aStoppedCartRecoversItsState() {
        recovers(StateCart::create);
    }

    private void recovers(Function<String, Behavior<Command>> carts) {
        ActorRef<Command> cart = KIT.spawn(carts.apply("recovers"));
        send(cart, replyTo -> new AddItem("book", 2, replyTo));
        send(cart, replyTo -> new AddItem("pen", 1, replyTo));
        send(cart, replyTo -> new RemoveItem("pen", replyTo));
        send(cart, Checkout::new);
        KIT.stop(cart);

        ActorRef<Command> again = KIT.spawn(carts.apply("recovers"));

        assertThat(contents(again)).isEqualTo(new Cart(Map.of("book", 2), true));
        assertThat(send(again, Checkout::new).isError()).isTrue();
    }

    @Test
    void aCartRecoversFromASnapshotAndTheEventsAfterIt() {
        ActorRef<Command> cart = KIT.spawn(ShoppingCart.create("recovers-from-snapshot"));
        for (int i = 0; i < 50; i++) {
            send(cart, replyTo -> new AddItem("pen", 1, replyTo));
        }
        KIT.stop(cart);

        ActorRef<Command> again = KIT.spawn(ShoppingCart.create("recovers-from-snapshot"));

        assertThat(contents(again)).isEqualTo(new Cart(Map.of("pen", 50), false));
    }

    @Test
    void commandsTravelBetweenNodes() {
        for (Command command : List.of(
                new AddItem("pen", 1, replies.ref()),
                new RemoveItem("pen", replies.ref()),
                new Checkout(replies.ref()),
                new Get(KIT.<Cart>createTestProbe().ref()))) {
            KIT.serializationTestKit().verifySerialization(command, true);
        }
    }

    private StatusReply<Cart> send(ActorRef<Command> cart, Function<ActorRef<StatusReply<Cart>>, Command> command) {
        cart.tell(command.apply(replies.ref()));
        return replies.receiveMessage(PATIENCE);
    }

    private static Cart contents(ActorRef<Command> cart) {
        TestProbe<Cart> contents = KIT.createTestProbe();
        cart.tell(new Get(contents.ref()));
        return contents.receiveMessage(PATIENCE);
    }
}
