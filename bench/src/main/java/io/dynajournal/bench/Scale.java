package io.dynajournal.bench;

import java.time.Duration;

/**
 * How much is done; for measured work, in one turn.
 *
 * @param warmUps rounds of warm-up on the stub, each followed by a wait for the JIT compilers; also the unmeasured turns of the
 *     workloads that are compared most closely
 * @param stubWarmUp writes per entity in such a round, of one event and of ten
 * @param stubWrites writes per entity on the stub at least
 * @param writes per entity that persists one event at a time at least
 * @param batches writes per entity that persists several events at a time at least
 * @param bursts per entity that persists asynchronously at least
 * @param recovered entities with short logs
 * @param longLogs entities with long logs
 * @param longLog events in such a log
 * @param woken entities that start together
 * @param sized entities with events and snapshots of several sizes
 * @param projected entities whose events are projected
 * @param turn the intended time of a turn of writes. The cost of beginning and ending one then weighs the same for fast and
 *     slow plugins
 * @param cloudTurn the time of a turn on the simulated cloud
 * @param settling how long to wait for the JIT compilers before each measurement at most
 */
record Scale(
        int warmUps,
        int stubWarmUp,
        int stubWrites,
        int writes,
        int batches,
        int bursts,
        int recovered,
        int longLogs,
        int longLog,
        int woken,
        int sized,
        int projected,
        Duration turn,
        CloudTurn cloudTurn,
        Duration settling) {

    /**
     * The time of a turn on the simulated cloud.
     *
     * @param leadIn at the beginning, not measured: connections are opened again
     */
    record CloudTurn(Duration leadIn, Duration measured) {}

    static final Scale FULL = new Scale(
            3,
            150,
            60,
            30,
            15,
            5,
            100,
            1,
            10_000,
            10_000,
            20,
            500,
            Duration.ofSeconds(1),
            new CloudTurn(Duration.ofMillis(500), Duration.ofSeconds(3)),
            Duration.ofSeconds(20));

    static final Scale QUICK = new Scale(
            1,
            25,
            16,
            10,
            4,
            1,
            10,
            1,
            1_000,
            60,
            4,
            100,
            Duration.ofMillis(800),
            new CloudTurn(Duration.ofMillis(200), Duration.ofSeconds(1)),
            Duration.ofMillis(700));
}
