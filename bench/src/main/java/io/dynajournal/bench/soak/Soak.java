package io.dynajournal.bench.soak;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;

import io.dynajournal.testkit.FaultProxy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Entities on two processes that are killed, on the two toolkits in turn, and on a third one that lives from beginning to end
 * and runs a live query; DynamoDB Local on a directory, killed too; a proxy that injects faults before all of them.
 */
final class Soak {

    private static final Duration SAMPLES = Duration.ofSeconds(5);
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String OBSERVER = "o";

    private final SoakArguments arguments;
    private final Path root;
    private final Path directory;
    private final Random random;
    private final List<Path> ledgers = new ArrayList<>();
    private final Map<String, SoakProcess> processes = new TreeMap<>();
    private final Map<String, Integer> kills = new TreeMap<>();
    private final List<Sample> samples = new ArrayList<>();

    private Soak(SoakArguments arguments, Path root, Path directory) {
        this.arguments = arguments;
        this.root = root;
        this.directory = directory;
        this.random = new Random(arguments.seed());
    }

    /**
     * @param root of the repository, where the programs of the entities are
     * @param directory an empty one, for tables, ledgers and logs
     */
    static SoakResult run(SoakArguments arguments, Path root, Path directory) throws IOException, InterruptedException {
        return new Soak(arguments, root, directory).run();
    }

    private SoakResult run() throws IOException, InterruptedException {
        try (SoakServer server = new SoakServer(directory.resolve("tables"));
                FaultProxy proxy = FaultProxy.to(server.endpoint())) {
            // The first one creates the tables.
            start(OBSERVER, proxy.endpoint());
            awaitCalm(List.of(OBSERVER));
            start("a", proxy.endpoint());
            start("b", proxy.endpoint());
            proxy.faultAtRandom(arguments.seed(), arguments.faults());
            load(server, proxy.endpoint());
            Map<String, Long> faults = proxy.randomFaults();
            proxy.faultAtRandom(0, 0);
            List<String> stuck = awaitCalm(List.copyOf(processes.keySet()));
            processes.values().forEach(process -> process.ask("stop"));
            Path last = readAll(server.endpoint());
            return result(faults, stuck, last);
        } finally {
            processes.values().forEach(SoakProcess::close);
        }
    }

    private void start(String group, URI endpoint) {
        int run = kills.getOrDefault(group, 0);
        Path ledger = directory.resolve(group + "-" + run + ".ledger");
        ledgers.add(ledger);
        String peer = group.equals(OBSERVER) || random.nextBoolean() ? "ours-akka" : "ours-pekko";
        processes.put(
                group,
                process(
                        peer,
                        endpoint,
                        group.equals(OBSERVER) ? "observe" : "load",
                        ledger,
                        group,
                        String.valueOf(arguments.entities() / 2)));
    }

    private SoakProcess process(String peer, URI endpoint, String role, Path ledger, String... groups) {
        List<String> words = new ArrayList<>(List.of(role, ledger.toString(), String.valueOf(arguments.thinkMillis())));
        words.addAll(List.of(groups));
        return SoakProcess.start(root, peer, endpoint, directory.resolve("processes.log"), words);
    }

    private void load(SoakServer server, URI endpoint) throws IOException, InterruptedException {
        long end = System.nanoTime() + arguments.time().toNanos();
        long nextKill = System.nanoTime() + untilNextKill();
        long nextSample = System.nanoTime();
        while (System.nanoTime() < end || killed() < arguments.kills()) {
            TimeUnit.NANOSECONDS.sleep(Math.min(nextKill, nextSample) - System.nanoTime());
            if (System.nanoTime() >= nextSample) {
                String sample = process(OBSERVER).ask("sample");
                samples.add(Sample.of(sample));
                Files.writeString(directory.resolve("samples"), sample + '\n', CREATE, APPEND);
                nextSample = System.nanoTime() + SAMPLES.toNanos();
            }
            if (System.nanoTime() >= nextKill) {
                kill(server, endpoint);
                nextKill = System.nanoTime() + untilNextKill();
            }
        }
    }

    /** From half to one and a half of the mean. */
    private long untilNextKill() {
        return (long) (arguments.betweenKills().toNanos() * (0.5 + random.nextDouble()));
    }

    private int killed() {
        return kills.values().stream().mapToInt(Integer::intValue).sum();
    }

    /** Each victim in turn at first, then any. */
    private void kill(SoakServer server, URI endpoint) {
        List<String> victims = List.of("a", "server", "b");
        String victim = victims.get(killed() < victims.size() ? killed() : random.nextInt(victims.size()));
        kills.merge(victim, 1, Integer::sum);
        if (victim.equals("server")) {
            server.killAndStart();
        } else {
            process(victim).kill();
            start(victim, endpoint);
        }
    }

    private SoakProcess process(String group) {
        return Objects.requireNonNull(processes.get(group), group);
    }

    /** Waits until every entity of these processes has had an event acknowledged from now on; those that have not. */
    private List<String> awaitCalm(List<String> groups) throws InterruptedException {
        List<String> stuck = new ArrayList<>();
        for (String group : groups) {
            process(group).ask("calm");
        }
        for (String group : groups) {
            SoakProcess process = process(group);
            if (!await(() -> process.ask("waiting").isEmpty())) {
                stuck.add("nothing was acknowledged after the faults had ended: " + process.ask("waiting"));
            }
        }
        return stuck;
    }

    private static boolean await(BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                return false;
            }
            Thread.sleep(200);
        }
        return true;
    }

    private Path readAll(URI endpoint) {
        Path last = directory.resolve("last.ledger");
        String size = String.valueOf(arguments.entities() / 2);
        try (SoakProcess reader = process("ours-akka", endpoint, "read", last, OBSERVER, size, "a", size, "b", size)) {
            reader.answer();
        }
        return last;
    }

    private SoakResult result(Map<String, Long> faults, List<String> stuck, Path last)
            throws IOException, InterruptedException {
        List<String> problems = new ArrayList<>(stuck);
        LedgerCheck[] check = {check()};
        problems.addAll(check[0].compare(last));
        // The query may still read.
        await(() -> {
            process(OBSERVER).ask("seen");
            check[0] = recheck(last);
            return check[0].unseen().isEmpty();
        });
        problems.addAll(check[0].unseen());
        return new SoakResult(arguments, kills, faults, check[0].acknowledged(), samples, problems);
    }

    private LedgerCheck check() throws IOException {
        LedgerCheck check = new LedgerCheck();
        for (Path ledger : ledgers) {
            if (Files.exists(ledger)) {
                check.add(ledger);
            }
        }
        return check;
    }

    private LedgerCheck recheck(Path last) {
        try {
            LedgerCheck check = check();
            check.compare(last);
            return check;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
