package io.dynajournal.bench;

import java.time.Duration;

/**
 * How much is done, in one turn where it is measured.
 *
 * @param warmUps how many times the entities on the stub write, and the JIT compilers are waited for, before they are measured;
 *     and how many turns the closest workloads have before they are
 * @param stubWarmUp writes by each of the entities then, of one event and of ten
 * @param stubWrites by each of them after that, at least
 * @param writes by each of the entities that persist one by one, at least
 * @param groups writes of each that persist several at once, at least
 * @param bursts of each that does not wait for its writes, at least
 * @param recovered entities with short logs
 * @param longLogs entities with long logs
 * @param longLog events in such a log
 * @param woken entities that wake at once
 * @param sized entities with events and snapshots of several sizes
 * @param turn how long a turn of writes shall take. What it costs to begin and to end one then counts as much for the fast ones
 * @param settling what the JIT compilers are given before each measurement, at most
 */
record Scale(
        int warmUps,
        int stubWarmUp,
        int stubWrites,
        int writes,
        int groups,
        int bursts,
        int recovered,
        int longLogs,
        int longLog,
        int woken,
        int sized,
        Duration turn,
        Duration settling) {

    static final Scale FULL =
            new Scale(3, 150, 60, 30, 15, 5, 100, 1, 10_000, 10_000, 20, Duration.ofSeconds(1), Duration.ofSeconds(20));

    static final Scale QUICK =
            new Scale(1, 25, 16, 10, 4, 1, 10, 1, 1_000, 60, 4, Duration.ofMillis(800), Duration.ofMillis(700));
}
