package io.dynajournal.examples.demo;

import akka.actor.setup.ActorSystemSetup;
import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.Behavior;
import akka.actor.typed.Props;
import akka.actor.typed.SpawnProtocol;
import akka.actor.typed.javadsl.AskPattern;
import akka.persistence.query.NoOffset;
import akka.persistence.query.PersistenceQuery;
import akka.persistence.state.DurableStateStoreRegistry;
import io.dynajournal.DynajournalSetup;
import io.dynajournal.Tables;
import io.dynajournal.examples.cart.ShoppingCart;
import io.dynajournal.examples.cart.StateCart;
import io.dynajournal.query.javadsl.DynajournalReadJournal;
import io.dynajournal.state.JavaStateStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.slf4j.LoggerFactory;

/**
 * The process that is killed: recovers its carts, reports what they hold, and adds items to all of them at once, each cart
 * as fast as it answers.
 */
final class Worker {

    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final String JOURNAL = "dynajournal.journal";
    private static final String SNAPSHOTS = "dynajournal.snapshot";
    private static final String STATES = "dynajournal.state";

    private record Shopper(String name, ActorRef<ShoppingCart.Command> ref, ShoppingCart.Cart cart) {}

    private final UnitCounter units = new UnitCounter();
    private final AtomicLong added = new AtomicLong();
    private final ActorSystem<SpawnProtocol.Command> system = ActorSystem.create(
            SpawnProtocol.create(),
            "shop",
            ActorSystemSetup.create(DynajournalSetup.create().withRequestListener(units)));
    private final String journalTable = Tables.describe(system, JOURNAL).name();
    private final String snapshotTable = Tables.describe(system, SNAPSHOTS).name();

    private final String stateTable = Tables.describe(system, STATES).name();
    private final boolean states;

    private Worker(boolean states) {
        this.states = states;
    }

    /** Takes what is kept ({@code events} or {@code states}), the number of carts and the number of items to add to each. */
    public static void main(String[] args) {
        // By one thread; many at once would find the logging half made, and it complains about that.
        LoggerFactory.getILoggerFactory();
        int carts = Integer.parseInt(args[1]);
        int items = Integer.parseInt(args[2]);
        Worker worker = new Worker(args[0].equals("states"));
        worker.run(carts, items).whenComplete((done, failure) -> {
            if (failure != null) {
                failure.printStackTrace();
                // Not System.exit, which would wait for the actor system.
                Runtime.getRuntime().halt(1);
            }
            worker.system.terminate();
        });
    }

    private CompletionStage<Void> run(int carts, int items) {
        // The embedded server gets its tables by itself; on a server of its own an application makes them once.
        CompletionStage<Void> tables = states
                ? Tables.create(system, STATES, false)
                : Tables.create(system, JOURNAL, false).thenCompose(made -> Tables.create(system, SNAPSHOTS, false));
        return tables.thenCompose(made -> recover(carts))
                .thenCompose(shoppers -> all(
                        shoppers.stream().map(shopper -> shop(shopper, items)).toList()))
                .thenRun(this::reportSpent)
                .thenCompose(spent -> states ? changes() : query());
    }

    /** All events of all carts, as a projection would get them. */
    private CompletionStage<Void> query() {
        long start = System.nanoTime();
        return PersistenceQuery.get(system)
                .getReadJournalFor(DynajournalReadJournal.class, DynajournalReadJournal.IDENTIFIER)
                .currentEventsBySlices("ShoppingCart", 0, 1023, NoOffset.getInstance())
                .runFold(0L, (count, event) -> count + 1, system)
                .thenAccept(count -> report(new Report.Queried(count, (System.nanoTime() - start) / 1_000_000)));
    }

    /** The newest state of every cart, as a projection would get it. */
    private CompletionStage<Void> changes() {
        long start = System.nanoTime();
        JavaStateStore<?> carts =
                DurableStateStoreRegistry.get(system).getDurableStateStoreFor(JavaStateStore.class, STATES);
        return carts.currentChangesBySlices("StateCart", 0, 1023, NoOffset.getInstance())
                .runFold(0L, (count, change) -> count + 1, system)
                .thenAccept(count -> report(new Report.Queried(count, (System.nanoTime() - start) / 1_000_000)));
    }

    /** Done when every cart has answered, which it does once it has recovered. */
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

    private CompletionStage<Shopper> shopper(String name) {
        CompletionStage<ActorRef<ShoppingCart.Command>> spawned = AskPattern.ask(
                system,
                replyTo -> new SpawnProtocol.Spawn<>(cart(name), name, Props.empty(), replyTo),
                PATIENCE,
                system.scheduler());
        return spawned.thenCompose(ref -> AskPattern.ask(ref, ShoppingCart.Get::new, PATIENCE, system.scheduler())
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

    /** Fails as soon as one of them fails: the others may go on for ever. */
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
