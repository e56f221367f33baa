package io.dynajournal.bench;

import io.dynajournal.bench.wire.Upstream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/**
 * All plugins side by side, each in its JVM. They take short turns, in an order that is shuffled anew for each round: a
 * machine that becomes faster or slower in the course of minutes does so for all of them.
 */
final class Contest implements AutoCloseable {

    private final List<Contestant> contestants = new ArrayList<>();
    private final Results results;
    private final int rounds;
    private final Random random;
    private final Consumer<String> progress;

    /**
     * Makes one without contestants.
     *
     * @param rounds in which each has a turn
     * @param progress is told what is being done
     */
    Contest(Results results, int rounds, Random random, Consumer<String> progress) {
        this.results = results;
        this.rounds = rounds;
        this.random = random;
        this.progress = progress;
    }

    void enter(Setup setup, Plugin plugin, Scale scale, DynamoDbAsyncClient admin) {
        contestants.add(Contestant.start(setup, plugin, scale, admin));
    }

    /** Warms all of them up on the stub, and measures them there if that is wanted. */
    void onStub(boolean measured) {
        for (Contestant contestant : contestants) {
            progress.accept("warm-up of " + contestant.plugin().name());
            contestant.warmUp();
        }
        if (measured) {
            turns(Workloads.STUB, rounds, contestants, Contestant::measureOnStub);
        }
    }

    /** @param serverCpu what the server's process has taken so far, if it is here */
    void onDynamo(Upstream upstream, Supplier<Optional<Duration>> serverCpu, List<Workload> workloads) {
        List<Contestant> able = contestants.stream()
                .filter(contestant -> workloads.stream().anyMatch(contestant::can))
                .toList();
        able.forEach(contestant -> contestant.moveTo(upstream, serverCpu));
        able.forEach(contestant -> contestant.prepareAlong(
                workloads.stream().filter(contestant::can).toList()));
        for (Contestant contestant : able) {
            progress.accept("what " + contestant.plugin().name() + " finds in its tables");
            contestant.prepare();
        }
        progress.accept("the rest of the long logs");
        able.forEach(Contestant::finishPreparing);
        for (Workload workload : workloads) {
            List<Contestant> these =
                    able.stream().filter(each -> each.can(workload)).toList();
            turns(
                    workload.name(),
                    workload.isOnce() ? 1 : rounds * workload.turns(),
                    these,
                    each -> each.measure(workload));
            these.forEach(each -> results.add(workload.name(), each.plugin(), each.finish(workload)));
        }
    }

    private void turns(String name, int times, List<Contestant> these, Function<Contestant, Figures> turn) {
        progress.accept(name);
        List<Contestant> order = new ArrayList<>(these);
        for (int round = 0; round < times; round++) {
            Collections.shuffle(order, random);
            order.forEach(each -> results.add(name, each.plugin(), turn.apply(each)));
        }
    }

    @Override
    public void close() {
        contestants.forEach(Contestant::close);
    }
}
