package io.dynajournal.bench;

import io.dynajournal.bench.wire.Bill;
import io.dynajournal.bench.wire.CountingProxy;
import io.dynajournal.bench.wire.PriceList;
import java.time.Duration;
import java.util.List;

/**
 * A plugin under load with the proxy that listens to it.
 *
 * @param settling what the JIT compilers are given, at most
 */
record Stage(LoadProcess load, CountingProxy proxy, PriceList prices, Duration settling) {

    /** Waits for the JIT compilers. */
    void settle() {
        Quiet.await(settling);
    }

    /** What was asked for since the last time. */
    List<Bill> bills() {
        return proxy.take().stream().map(prices::bill).toList();
    }
}
