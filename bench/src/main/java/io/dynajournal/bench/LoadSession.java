package io.dynajournal.bench;

import io.dynajournal.bench.wire.CostCalculator;
import io.dynajournal.bench.wire.CountingProxy;
import io.dynajournal.bench.wire.RequestCost;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** A plugin under load, and the proxy that records its requests. Not thread-safe. */
final class LoadSession {

    /**
     * What a turn used of the server.
     *
     * @param costs of all requests
     * @param serverCpu of its process; empty if that is remote
     */
    record ServerUsage(List<RequestCost> costs, Optional<Duration> serverCpu) {}

    private final LoadProcess load;
    private final CountingProxy proxy;
    private final CostCalculator calculator;
    private final Supplier<Optional<Duration>> serverCpu;
    private final Duration turn;
    private final Duration settling;
    private Optional<Duration> cpuBefore = Optional.empty();

    /**
     * Creates a session.
     *
     * @param serverCpu the CPU time of the server's process so far
     * @param turn the intended time of a turn
     * @param settling how long to wait for the JIT compilers at most
     */
    LoadSession(
            LoadProcess load,
            CountingProxy proxy,
            CostCalculator calculator,
            Supplier<Optional<Duration>> serverCpu,
            Duration turn,
            Duration settling) {
        this.load = load;
        this.proxy = proxy;
        this.calculator = calculator;
        this.serverCpu = serverCpu;
        this.turn = turn;
        this.settling = settling;
    }

    LoadProcess load() {
        return load;
    }

    CountingProxy proxy() {
        return proxy;
    }

    Duration turn() {
        return turn;
    }

    /** Begins a turn, after waiting for the JIT compilers. */
    void begin() {
        IdleProcesses.await(settling);
        proxy.take();
        cpuBefore = serverCpu.get();
    }

    ServerUsage end() {
        Optional<Duration> cpuNow = serverCpu.get();
        return new ServerUsage(
                proxy.take().stream().map(calculator::cost).toList(),
                cpuBefore.flatMap(before -> cpuNow.map(now -> now.minus(before))));
    }
}
