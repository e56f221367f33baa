package io.dynajournal.bench;

/**
 * How much is done.
 *
 * @param warmUp writes by each of the entities that nobody looks at
 * @param writes by each of the entities that persist one by one
 * @param groups writes of each that persist several at once
 * @param recovered entities with short logs
 * @param longLogs entities with long logs
 * @param woken entities that wake at once
 * @param sized entities with events and snapshots of several sizes
 * @param stubWrites by each of the entities on the stub
 * @param stubWarmUp before that
 */
record Scale(
        int warmUp,
        int writes,
        int groups,
        int recovered,
        int longLogs,
        int woken,
        int sized,
        int stubWrites,
        int stubWarmUp) {

    static final Scale FULL = new Scale(400, 300, 60, 200, 2, 10_000, 20, 400, 200);
    static final Scale QUICK = new Scale(30, 40, 8, 20, 1, 200, 4, 40, 20);
}
