package io.dynajournal.bench;

import io.dynajournal.bench.wire.Bill;
import io.dynajournal.bench.wire.CountingProxy;
import io.dynajournal.bench.wire.PriceList;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** A plugin under load with the proxy that listens to it. Not thread-safe. */
final class Stage {

    /**
     * What a turn took of the server.
     *
     * @param bills of all requests
     * @param serverCpu of its process; empty if that is elsewhere
     */
    record Turn(List<Bill> bills, Optional<Duration> serverCpu) {}

    private final LoadProcess load;
    private final CountingProxy proxy;
    private final PriceList prices;
    private final Supplier<Optional<Duration>> serverCpu;
    private final Duration turn;
    private final Duration settling;
    private Optional<Duration> cpuBefore = Optional.empty();

    /**
     * Makes one.
     *
     * @param serverCpu what the server's process has taken so far
     * @param turn how long one shall take
     * @param settling what the JIT compilers are given, at most
     */
    Stage(
            LoadProcess load,
            CountingProxy proxy,
            PriceList prices,
            Supplier<Optional<Duration>> serverCpu,
            Duration turn,
            Duration settling) {
        this.load = load;
        this.proxy = proxy;
        this.prices = prices;
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

    /** Begins a turn, when the JIT compilers are through with what was before. */
    void begin() {
        Quiet.await(settling);
        proxy.take();
        cpuBefore = serverCpu.get();
    }

    Turn end() {
        Optional<Duration> cpuNow = serverCpu.get();
        return new Turn(
                proxy.take().stream().map(prices::bill).toList(),
                cpuBefore.flatMap(before -> cpuNow.map(now -> now.minus(before))));
    }
}
