package io.dynajournal.bench;

import io.dynajournal.bench.Plugin.Server;
import io.dynajournal.bench.wire.Upstream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/**
 * Runs all plugins side by side, each in its JVM. They take short turns, in an order that is shuffled for each round: a machine
 * whose speed changes within minutes then changes for all of them.
 */
final class Comparison implements AutoCloseable {

    private final List<PluginRun> runs = new ArrayList<>();
    private final Results results;
    private final int rounds;
    private final Random random;
    private final Consumer<String> progress;

    /**
     * Creates a comparison without plugins.
     *
     * @param rounds each plugin has one turn per round
     * @param progress receives a line for each step
     */
    Comparison(Results results, int rounds, Random random, Consumer<String> progress) {
        this.results = results;
        this.rounds = rounds;
        this.random = random;
        this.progress = progress;
    }

    void add(Setup setup, Plugin plugin, Scale scale, DynamoDbAsyncClient admin) {
        runs.add(PluginRun.start(setup, plugin, scale, admin));
    }

    /** Warms all plugins up on the stub, and measures them there if asked to. */
    void onStub(boolean measured) {
        for (PluginRun run : runs) {
            progress.accept("warm-up of " + run.plugin().name());
            run.warmUp();
        }
        if (measured) {
            List<PluginRun> able = runs.stream()
                    .filter(run -> run.plugin().runsOn(Server.STUB))
                    .toList();
            turns(Workloads.STUB, rounds, able, PluginRun::measureOnStub);
        }
    }

    /**
     * Measures on the simulated cloud.
     *
     * @param cloudRounds fewer rounds than usual are enough where a turn is long
     * @param storm whether all entities start at once at the end; a turn takes a minute and there is one
     */
    void onCloud(List<CloudWorkload> workloads, int cloudRounds, boolean storm) {
        List<PluginRun> able =
                runs.stream().filter(run -> run.plugin().runsOn(Server.CLOUD)).toList();
        long serverSeed = random.nextInt();
        progress.accept("moving to the simulated cloud");
        // Not measured, so all at the same time.
        able.stream()
                .map(run -> CompletableFuture.runAsync(
                        () -> run.moveToCloud(serverSeed), move -> new Thread(move, "move").start()))
                .toList()
                .forEach(CompletableFuture::join);
        for (CloudWorkload workload : workloads) {
            // The same arrivals for every plugin.
            long seed = random.nextInt();
            turns(workload.name(), cloudRounds, able, run -> run.measureOnCloud(workload, seed));
        }
        if (storm) {
            int seed = random.nextInt(1_000_000);
            List<PluginRun> journals =
                    able.stream().filter(run -> run.plugin().persistsAll()).toList();
            turns(StormWorkload.NAME, 1, journals, run -> run.measureStorm(seed));
        }
    }

    /** @param serverCpu the CPU time of the server's process so far, if it is local */
    void onDynamo(Upstream upstream, Supplier<Optional<Duration>> serverCpu, List<Workload> workloads) {
        List<PluginRun> able = runs.stream()
                .filter(run -> workloads.stream().anyMatch(run::supports))
                .toList();
        able.forEach(run -> run.moveToDynamo(upstream, serverCpu));
        able.forEach(run ->
                run.prepareConcurrently(workloads.stream().filter(run::supports).toList()));
        for (PluginRun run : able) {
            progress.accept("preparing the tables of " + run.plugin().name());
            run.prepare();
        }
        progress.accept("waiting for the long logs");
        able.forEach(PluginRun::finishPreparing);
        for (Workload workload : workloads) {
            List<PluginRun> these =
                    able.stream().filter(run -> run.supports(workload)).toList();
            turns(
                    workload.name(),
                    workload.isOnce() ? 1 : rounds * workload.turns(),
                    these,
                    run -> run.measure(workload));
            these.forEach(run -> results.add(workload.name(), run.plugin(), run.finish(workload)));
        }
    }

    private void turns(String name, int times, List<PluginRun> these, Function<PluginRun, Figures> turn) {
        progress.accept(name);
        List<PluginRun> order = new ArrayList<>(these);
        for (int round = 0; round < times; round++) {
            Collections.shuffle(order, random);
            order.forEach(run -> results.add(name, run.plugin(), turn.apply(run)));
        }
    }

    @Override
    public void close() {
        runs.forEach(PluginRun::close);
    }
}
