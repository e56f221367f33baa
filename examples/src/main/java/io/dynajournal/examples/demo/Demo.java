package io.dynajournal.examples.demo;

import akka.Version;
import io.dynajournal.local.DynamoLocal;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Runs the demo: a process with shopping carts is killed while it writes, another one recovers them, and what the first one
 * acknowledged is compared with what the second one recovers, and with the read model of the carts' events.
 */
public final class Demo {

    // DynamoDB Local writes one item after the other. More carts would wait longer, not write more.
    private static final int CARTS = 20;
    private static final int EVENTS_BEFORE_KILL = 2_000;
    // Bounds for slow and for fast disks.
    private static final long SECONDS_BEFORE_KILL = 15;
    private static final int EVENTS_AT_LEAST = 200;
    private static final int MORE_PER_CART = 20;

    private final Path directory;
    private final Ledger ledger = new Ledger();

    // What is stored of a cart: "events" or "states".
    private final String kept;

    private Demo(Path directory, String kept) {
        this.directory = directory;
        this.kept = kept;
    }

    /** Arguments: the toolkit's name, a directory for DynamoDB Local, and {@code events} or {@code states}. */
    public static void main(String[] args) throws IOException, InterruptedException {
        print("%d shopping carts on %s %s, their %s in DynamoDB Local", CARTS, args[0], Version.current(), args[2]);
        try {
            Demo demo = new Demo(Path.of(args[1]), args[2]);
            demo.writeUntilKilled();
            demo.recoverAndGoOn();
        } catch (Failed e) {
            System.out.flush();
            System.err.println("FAILED: " + e.getMessage());
            System.exit(1);
        }
    }

    private void writeUntilKilled() throws IOException, InterruptedException {
        try (DynamoLocal server = DynamoLocal.on(directory);
                WorkerProcess worker = WorkerProcess.start(server.endpoint(), kept, CARTS, Integer.MAX_VALUE)) {
            print("1. write    all carts take items as fast as they can, in process %d", worker.pid());
            Report.Spent spent = new Report.Spent(0, 0, 0, 0);
            long start = 0;
            long killed = 0;
            int eventsBeforeKill = 0;
            for (Optional<Report> next = worker.next(); next.isPresent(); next = worker.next()) {
                Report report = next.get();
                if (report instanceof Report.Recovered) {
                    start = System.nanoTime();
                } else if (report instanceof Report.Adding adding) {
                    ledger.adding(adding);
                } else if (report instanceof Report.Spent soFar) {
                    spent = soFar;
                } else if (report instanceof Report.Added added) {
                    ledger.added(added);
                    if (killed == 0 && isEnough(System.nanoTime() - start)) {
                        worker.kill();
                        killed = System.nanoTime();
                        eventsBeforeKill = ledger.acknowledged();
                    }
                }
            }
            int exitCode = worker.exitCode();
            require(killed != 0, "The writing process ended by itself, with exit code %d", exitCode);
            print(
                    "            %,d %s acknowledged, %,.0f a second",
                    ledger.acknowledged(), kept, eventsBeforeKill * 1e9 / (killed - start));
            print(
                    "            write units per %s: %.2f (%.2f table, %.2f indexes), snapshots %.2f more",
                    one(),
                    spent.perEvent(spent.table() + spent.indexes()),
                    spent.perEvent(spent.table()),
                    spent.perEvent(spent.indexes()),
                    spent.perEvent(spent.snapshots()));
            print("2. kill -9  of process %d in the middle of its writes (exit code %d)", worker.pid(), exitCode);
        }
    }

    private boolean isEnough(long nanos) {
        return ledger.acknowledged() >= EVENTS_BEFORE_KILL
                || (nanos >= SECONDS_BEFORE_KILL * 1_000_000_000 && ledger.acknowledged() >= EVENTS_AT_LEAST);
    }

    /** The server is a new one too, so that everything recovered comes from its directory. */
    private void recoverAndGoOn() throws IOException, InterruptedException {
        try (DynamoLocal server = DynamoLocal.on(directory);
                WorkerProcess worker = WorkerProcess.start(server.endpoint(), kept, CARTS, MORE_PER_CART)) {
            int before = ledger.acknowledged();
            Map<String, Map<String, Integer>> carts = new HashMap<>();
            boolean recovered = false;
            Report.Queried queried = new Report.Queried(0, 0);
            long projectedBefore = -1;
            Map<String, Long> expectedCounts = new TreeMap<>();
            Map<String, Long> counts = new TreeMap<>();
            for (Optional<Report> next = worker.next(); next.isPresent(); next = worker.next()) {
                Report report = next.get();
                if (report instanceof Report.Holds holds) {
                    carts.put(holds.cart(), holds.items());
                } else if (report instanceof Report.Recovered done) {
                    recovered = true;
                    tellRecovery(worker.pid(), done, carts);
                    carts.values()
                            .forEach(items -> items.forEach(
                                    (item, quantity) -> expectedCounts.merge(item, (long) quantity, Long::sum)));
                } else if (report instanceof Report.Added added) {
                    ledger.added(added);
                    expectedCounts.merge(added.item(), (long) added.quantity(), Long::sum);
                } else if (report instanceof Report.Queried all) {
                    queried = all;
                } else if (report instanceof Report.Projected projected && projectedBefore < 0) {
                    projectedBefore = projected.events();
                } else if (report instanceof Report.Popular popular) {
                    counts.put(popular.item(), popular.quantity());
                }
            }
            int exitCode = worker.exitCode();
            require(recovered, "The carts could not be recovered; the process's exit code is %d", exitCode);
            require(exitCode == 0, "The recovered carts could not go on; the process's exit code is %d", exitCode);
            int more = ledger.acknowledged() - before;
            require(more == CARTS * MORE_PER_CART, "The recovered carts took only %,d items", more);
            print("4. go on    %,d more %s", more, kept);
            boolean events = kept.equals("events");
            int expected = events ? carts.values().stream().mapToInt(Map::size).sum() + more : CARTS;
            require(queried.events() == expected, "A query gave %,d of %,d %s", queried.events(), expected, kept);
            print(
                    "5. query    %s %,d %s of all carts by slices in %.1f s",
                    events ? "all" : "the newest", expected, kept, queried.millis() / 1e3);
            if (events) {
                tellReadModel(projectedBefore, expected, expectedCounts, counts);
            }
            print("Nothing acknowledged was lost.");
        }
    }

    /** The carts of the demo only take items, so the counts of the read model are the sums of what they hold. */
    private static void tellReadModel(
            long projectedBefore, int events, Map<String, Long> expected, Map<String, Long> counts) {
        Set<String> wrong = new TreeSet<>(expected.keySet());
        wrong.addAll(counts.keySet());
        wrong.removeIf(item -> expected.getOrDefault(item, 0L).equals(counts.getOrDefault(item, 0L)));
        require(
                wrong.isEmpty(),
                "The read model is wrong for %,d of %,d items, such as %s",
                wrong.size(),
                expected.size(),
                wrong.stream()
                        .limit(3)
                        .map(item -> item + " (" + counts.getOrDefault(item, 0L) + " instead of "
                                + expected.getOrDefault(item, 0L) + ")")
                        .collect(Collectors.joining(", ")));
        print(
                "6. project  items by popularity: %,d events before the kill, %,d after it, each exactly once",
                projectedBefore, events - projectedBefore);
        print(
                "            %,d pieces of %,d items, the most popular ones are %s",
                counts.values().stream().mapToLong(Long::longValue).sum(),
                counts.size(),
                counts.entrySet().stream()
                        .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                        .limit(3)
                        .map(count -> count.getKey() + " (" + count.getValue() + ")")
                        .collect(Collectors.joining(", ")));
    }

    private void tellRecovery(long pid, Report.Recovered recovered, Map<String, Map<String, Integer>> carts) {
        int events = carts.values().stream().mapToInt(Map::size).sum();
        print(
                "3. recover  %d carts of %,d %s in %.1f s, in process %d; %,.0f read units, %.2f per %s",
                carts.size(),
                events,
                kept,
                recovered.millis() / 1e3,
                pid,
                recovered.readUnits(),
                recovered.readUnits() / events,
                one());
        Ledger.Comparison found = ledger.compare(carts);
        require(
                found.lost().isEmpty(),
                "%,d acknowledged %s are lost: %s",
                found.lost().size(),
                kept,
                found.lost());
        require(
                found.strange().isEmpty(),
                "%,d %s that nobody wrote are there, such as %s",
                found.strange().size(),
                kept,
                some(found.strange()));
        print(
                "            all %,d acknowledged %s are there, and %d of the unacknowledged ones",
                ledger.acknowledged(), kept, found.inFlight());
    }

    /** The singular of {@code events} or {@code states}. */
    private String one() {
        return kept.substring(0, kept.length() - 1);
    }

    private static String some(Set<String> texts) {
        return texts.stream().limit(3).collect(Collectors.joining(", "));
    }

    private static void print(String format, Object... values) {
        System.out.printf(Locale.ROOT, format + "%n", values);
    }

    private static void require(boolean condition, String format, Object... values) {
        if (!condition) {
            throw new Failed(String.format(Locale.ROOT, format, values));
        }
    }

    private static final class Failed extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Failed(String message) {
            super(message);
        }
    }
}
