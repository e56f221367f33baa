package io.dynajournal.examples.demo;

import akka.Done;
import akka.actor.setup.ActorSystemSetup;
import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.Behavior;
import akka.actor.typed.Props;
import akka.actor.typed.SpawnProtocol;
import akka.actor.typed.javadsl.AskPattern;
import akka.pattern.Patterns;
import akka.persistence.query.NoOffset;
import akka.persistence.query.PersistenceQuery;
import akka.persistence.state.DurableStateStoreRegistry;
import akka.projection.ProjectionBehavior;
import io.dynajournal.Dynajournal;
import io.dynajournal.DynajournalSetup;
import io.dynajournal.Tables;
import io.dynajournal.examples.cart.ItemPopularity;
import io.dynajournal.examples.cart.PopularItems;
import io.dynajournal.examples.cart.ShoppingCart;
import io.dynajournal.examples.cart.StateCart;
import io.dynajournal.query.javadsl.DynajournalReadJournal;
import io.dynajournal.state.javadsl.DynajournalDurableStateStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.slf4j.LoggerFactory;

/**
 * The process that is killed: recovers its carts, reports what they hold, and adds items to all of them at once, each cart
 * as fast as it answers. If the carts keep events, a projection counts how often each item was added.
 */
final class Worker {

    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final String JOURNAL = "dynajournal.journal";
    private static final String SNAPSHOTS = "dynajournal.snapshot";
    private static final String STATES = "dynajournal.state";
    private static final String OFFSETS = "dynajournal.projection";
    private static final Duration PATIENCE_FOR_PROJECTION = Duration.ofSeconds(60);
    private static final Duration BETWEEN_CHECKS = Duration.ofMillis(100);

    private record Shopper(String name, ActorRef<ShoppingCart.Command> ref, ShoppingCart.Cart cart) {}

    private final UnitCounter units = new UnitCounter();
    private final AtomicLong added = new AtomicLong();
    private final ActorSystem<SpawnProtocol.Command> system = ActorSystem.create(
            SpawnProtocol.create(),
            "shop",
            ActorSystemSetup.create(DynajournalSetup.create().withRequestListener(units)));
    private final String journalTable = Tables.describe(system, JOURNAL).name();
    private final String snapshotTable = Tables.describe(system, SNAPSHOTS).name();

    private final PopularItems popularItems = new PopularItems(Dynajournal.client(system, "dynajournal.client"));
    private final String stateTable = Tables.describe(system, STATES).name();
    private final boolean states;

    private Worker(boolean states) {
        this.states = states;
    }

    /** Takes what is kept ({@code events} or {@code states}), the number of carts and the number of items to add to each. */
    public static void main(String[] args) {
        // Initializes logging on one thread; concurrent first uses make it print a warning.
        LoggerFactory.getILoggerFactory();
        int carts = Integer.parseInt(args[1]);
        int items = Integer.parseInt(args[2]);
        Worker worker = new Worker(args[0].equals("states"));
        worker.run(carts, items).whenComplete((done, failure) -> {
            if (failure != null) {
                failure.printStackTrace();
                // Not System.exit, which would wait for the actor system to terminate.
                Runtime.getRuntime().halt(1);
            }
            worker.system.terminate();
        });
    }

    private CompletionStage<Void> run(int carts, int items) {
        // With the embedded server tables are created at start; on any other server an application creates them once.
        CompletionStage<Done> tables = states
                ? Tables.create(system, STATES)
                : Tables.create(system, JOURNAL)
                        .thenCompose(created -> Tables.create(system, SNAPSHOTS))
                        .thenCompose(created -> project());
        return tables.thenCompose(created -> recover(carts))
                .thenCompose(shoppers -> all(
                        shoppers.stream().map(shopper -> shop(shopper, items)).toList()))
                .thenRun(this::reportSpent)
                .thenCompose(spent -> states ? changes() : query());
    }

    /** Starts the projection, after reporting how far the one of a killed worker came. */
    private CompletionStage<Done> project() {
        return Tables.create(system, OFFSETS)
                .thenCompose(created -> popularItems.create())
                .thenCompose(created -> popularItems.all())
                .thenCompose(counts -> {
                    report(projected(counts));
                    return this.<ProjectionBehavior.Command>spawn(ItemPopularity.create(system), "item-popularity");
                })
                .thenApply(spawned -> Done.getInstance());
    }

    private static Report.Projected projected(List<PopularItems.Count> counts) {
        return new Report.Projected(
                counts.stream().mapToLong(PopularItems.Count::additions).sum());
    }

    /** Reports the read model once it has counted this number of events, or as it is after the timeout. */
    private CompletionStage<Done> awaitProjection(long events, long deadline) {
        return popularItems.all().thenCompose(counts -> {
            Report.Projected projected = projected(counts);
            if (projected.events() < events && System.nanoTime() < deadline) {
                return Patterns.after(BETWEEN_CHECKS, system.classicSystem(), () -> awaitProjection(events, deadline));
            }
            counts.forEach(count -> report(new Report.Popular(count.item(), count.quantity())));
            report(projected);
            return CompletableFuture.completedFuture(Done.getInstance());
        });
    }

    /** All events of all carts, then what the projection has made of them. */
    private CompletionStage<Void> query() {
        long start = System.nanoTime();
        return PersistenceQuery.get(system)
                .getReadJournalFor(DynajournalReadJournal.class, DynajournalReadJournal.IDENTIFIER)
                .currentEventsBySlices("ShoppingCart", 0, 1023, NoOffset.getInstance())
                .runFold(0L, (count, event) -> count + 1, system)
                .thenCompose(count -> {
                    report(new Report.Queried(count, (System.nanoTime() - start) / 1_000_000));
                    return awaitProjection(count, System.nanoTime() + PATIENCE_FOR_PROJECTION.toNanos());
                })
                .thenAccept(done -> {});
    }

    /** The latest state of every cart, as a projection would receive it. */
    private CompletionStage<Void> changes() {
        long start = System.nanoTime();
        DynajournalDurableStateStore<?> carts = DurableStateStoreRegistry.get(system)
                .getDurableStateStoreFor(DynajournalDurableStateStore.class, STATES);
        return carts.currentChangesBySlices("StateCart", 0, 1023, NoOffset.getInstance())
                .runFold(0L, (count, change) -> count + 1, system)
                .thenAccept(count -> report(new Report.Queried(count, (System.nanoTime() - start) / 1_000_000)));
    }

    /** Completes when every cart has answered, that is, has recovered. */
    private CompletionStage<List<Shopper>> recover(int carts) {
        long start = System.nanoTime();
        return all(IntStream.rangeClosed(1, carts)
                        .mapToObj("cart-%02d"::formatted)
                        .map(this::shopper)
                        .toList())
                .thenApply(shoppers -> {
                    report(new Report.Recovered((System.nanoTime() - start) / 1_000_000, units.reads()));
                    return shoppers;
                });
    }

    private Behavior<ShoppingCart.Command> cart(String name) {
        return states ? StateCart.create(name) : ShoppingCart.create(name);
    }

    private <C> CompletionStage<ActorRef<C>> spawn(Behavior<C> behavior, String name) {
        return AskPattern.ask(
                system,
                replyTo -> new SpawnProtocol.Spawn<>(behavior, name, Props.empty(), replyTo),
                PATIENCE,
                system.scheduler());
    }

    private CompletionStage<Shopper> shopper(String name) {
        return spawn(cart(name), name)
                .thenCompose(ref -> AskPattern.ask(ref, ShoppingCart.Get::new, PATIENCE, system.scheduler())
                        .thenApply(cart -> {
                            report(new Report.Holds(name, cart.items()));
                            return new Shopper(name, ref, cart);
                        }));
    }

    private CompletionStage<Shopper> shop(Shopper shopper, int items) {
        return items == 0
                ? CompletableFuture.completedFuture(shopper)
                : add(shopper).thenCompose(next -> shop(next, items - 1));
    }

    private CompletionStage<Shopper> add(Shopper shopper) {
        int number = shopper.cart().items().size() + 1;
        String item = "item-" + number;
        int quantity = number % 9 + 1;
        report(new Report.Adding(shopper.name(), item, quantity));
        return AskPattern.<ShoppingCart.Command, ShoppingCart.Cart>askWithStatus(
                        shopper.ref(),
                        replyTo -> new ShoppingCart.AddItem(item, quantity, replyTo),
                        PATIENCE,
                        system.scheduler())
                .thenApply(cart -> {
                    report(new Report.Added(shopper.name(), item, quantity));
                    if (added.incrementAndGet() % 50 == 0) {
                        reportSpent();
                    }
                    return new Shopper(shopper.name(), shopper.ref(), cart);
                });
    }

    private void reportSpent() {
        UnitCounter.Writes events = units.writesTo(states ? stateTable : journalTable);
        // One request is one event here, because a cart waits for its answer. Counting what DynamoDB answered, not what
        // the carts did, keeps both sides of the division equal while requests are in flight.
        report(new Report.Spent(
                events.requests(),
                events.tableUnits(),
                events.indexUnits(),
                units.writesTo(snapshotTable).tableUnits()));
    }

    private static void report(Report report) {
        System.out.println(report);
    }

    /** Fails as soon as one of them fails; the others may never complete. */
    private static <T> CompletionStage<List<T>> all(List<? extends CompletionStage<T>> stages) {
        CompletableFuture<List<T>> result = new CompletableFuture<>();
        List<CompletableFuture<T>> futures = stages.stream()
                .map(stage -> stage.whenComplete((value, failure) -> {
                            if (failure != null) {
                                result.completeExceptionally(failure);
                            }
                        })
                        .toCompletableFuture())
                .toList();
        CompletableFuture.allOf(futures.toArray(CompletableFuture<?>[]::new))
                .thenRun(() -> result.complete(
                        futures.stream().map(CompletableFuture::join).toList()));
        return result;
    }
}
