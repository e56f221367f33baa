package io.dynajournal.examples.shop;

import akka.Done;
import akka.actor.Cancellable;
import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.Behavior;
import akka.actor.typed.Props;
import akka.actor.typed.SpawnProtocol;
import akka.actor.typed.javadsl.AskPattern;
import akka.projection.javadsl.ProjectionManagement;
import com.typesafe.config.Config;
import io.dynajournal.Dynajournal;
import io.dynajournal.Tables;
import io.dynajournal.examples.cart.ItemPopularity;
import io.dynajournal.examples.cart.PopularItems;
import io.dynajournal.examples.cart.ShoppingCart;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/** Customers who fill carts, and the projection that counts their items. Thread-safe. */
final class Shop implements AutoCloseable {

    private static final int CARTS = 8;
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final List<String> CATALOGUE = List.of(
            "apples", "bread", "butter", "cheese", "coffee", "eggs", "honey", "lemons", "milk", "pasta", "rice", "tea");

    private final ActorSystem<SpawnProtocol.Command> system;
    private final PopularItems popularItems;
    private final Map<String, ShoppingCart.Cart> carts = new ConcurrentHashMap<>();
    private final AtomicLong added = new AtomicLong();
    private volatile boolean isPaused;
    private final List<Cancellable> customers = new CopyOnWriteArrayList<>();

    private Shop(Config config) {
        this.system = ActorSystem.create(SpawnProtocol.create(), "shop", config);
        this.popularItems = new PopularItems(Dynajournal.client(system, "dynajournal.client"));
    }

    /**
     * What the page shows.
     *
     * @param carts as their entities answered last, by name
     * @param popular the read model
     * @param written number of items that carts have acknowledged
     */
    record View(Map<String, ShoppingCart.Cart> carts, List<PopularItems.Count> popular, long written, boolean paused) {

        long projected() {
            return popular.stream().mapToLong(PopularItems.Count::additions).sum();
        }

        /** Number of events that the read model does not count yet. */
        long lag() {
            return Math.max(0, written - projected());
        }
    }

    /**
     * Opens a shop.
     *
     * @param pause how long each customer waits between two items
     */
    static Shop open(Config config, Duration pause) {
        Shop shop = new Shop(config);
        try {
            shop.start(pause).toCompletableFuture().join();
        } catch (RuntimeException e) {
            shop.close();
            throw e;
        }
        return shop;
    }

    private CompletionStage<Void> start(Duration pause) {
        return Tables.create(system, "dynajournal.journal")
                .thenCompose(created -> Tables.create(system, "dynajournal.snapshot"))
                .thenCompose(created -> Tables.create(system, "dynajournal.projection"))
                .thenCompose(created -> popularItems.create())
                .thenCompose(created -> spawn(ItemPopularity.create(system), "item-popularity"))
                .thenCompose(projection -> CompletableFuture.allOf(IntStream.rangeClosed(1, CARTS)
                        .mapToObj("cart-%d"::formatted)
                        .map(name -> customer(name, pause).toCompletableFuture())
                        .toArray(CompletableFuture<?>[]::new)));
    }

    private <C> CompletionStage<ActorRef<C>> spawn(Behavior<C> behavior, String name) {
        return AskPattern.ask(
                system,
                replyTo -> new SpawnProtocol.Spawn<>(behavior, name, Props.empty(), replyTo),
                PATIENCE,
                system.scheduler());
    }

    /** A customer puts a random item into the cart, again and again. */
    private CompletionStage<Void> customer(String name, Duration pause) {
        Random random = new Random(name.hashCode());
        return spawn(ShoppingCart.create(name), name).thenAccept(cart -> {
            customers.add(system.scheduler()
                    .scheduleAtFixedRate(
                            pause.multipliedBy(customers.size()).dividedBy(CARTS),
                            pause,
                            () -> add(name, cart, random),
                            system.executionContext()));
        });
    }

    private void add(String name, ActorRef<ShoppingCart.Command> cart, Random random) {
        // The square makes the first items of the catalogue the popular ones.
        double chance = random.nextDouble();
        String item = CATALOGUE.get((int) (chance * chance * CATALOGUE.size()));
        int quantity = 1 + random.nextInt(3);
        AskPattern.<ShoppingCart.Command, ShoppingCart.Cart>askWithStatus(
                        cart,
                        replyTo -> new ShoppingCart.AddItem(item, quantity, replyTo),
                        PATIENCE,
                        system.scheduler())
                .whenComplete((now, failure) -> {
                    if (failure == null) {
                        carts.put(name, now);
                        added.incrementAndGet();
                    } else {
                        system.log().warn("{} took no {}: {}", name, item, failure.getMessage());
                    }
                });
    }

    CompletionStage<View> view() {
        // Counted before the read model is read: it may only be ahead.
        long written = added.get();
        return popularItems.all().thenApply(popular -> new View(new TreeMap<>(carts), popular, written, isPaused));
    }

    CompletionStage<Done> pause(boolean paused) {
        ProjectionManagement management = ProjectionManagement.get(system);
        return (paused ? management.pause(ItemPopularity.ID) : management.resume(ItemPopularity.ID)).thenApply(done -> {
            isPaused = paused;
            return done;
        });
    }

    @Override
    public void close() {
        customers.forEach(Cancellable::cancel);
        system.terminate();
        system.getWhenTerminated()
                .toCompletableFuture()
                .orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS)
                .join();
    }
}
