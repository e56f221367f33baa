package io.dynajournal.peers.load;

import java.util.concurrent.CompletableFuture;

/** What is put under load: entities in groups. Each operation reports its end or its failure to the measurement. */
interface Load {

    /** Starts the entities of a group; one operation per recovery, with the events replayed. */
    void start(String group, int entities, Measurement measurement);

    /** Stops the entities of a group; one operation. */
    void stop(String group, Measurement measurement);

    /** The number of running entities of a group. */
    int running(String group);

    /** Every entity of the group writes; one operation per write, with its events. */
    void write(String group, Write write, Measurement measurement);

    /** Every entity of the group saves a snapshot; one operation each. */
    void snapshot(String group, int bytes, Measurement measurement);

    /** Projects events of the group and stores their offsets; one operation, with the events. */
    default void project(String group, Run run, Measurement measurement) {
        throw new UnsupportedOperationException("there are no projections here");
    }

    /**
     * A run of a projection.
     *
     * @param kind {@code at-least-once}, {@code exactly-once} or {@code grouped}
     * @param name of the projection
     * @param events after which it is stopped
     */
    record Run(String kind, String name, int events) {}

    /**
     * Single persists at a constant rate over all entities of the group.
     *
     * @return the fields of {@link Measurement#fields}
     */
    CompletableFuture<String> persistAtRate(String group, Rate rate);

    /**
     * A load that does not depend on how fast it is served.
     *
     * @param perSecond over all entities
     * @param leadInMillis at the beginning, not measured
     * @param millis measured, after the lead-in
     * @param bytes the size of an event
     * @param seed of the arrival times
     */
    record Rate(int perSecond, int leadInMillis, int millis, int bytes, int seed) {

        /** Operations in flight at most, over all entities; a plugin with a bounded write queue needs a limit. */
        private static final int MAX_IN_FLIGHT = Integer.getInteger("load.max-in-flight", Integer.MAX_VALUE);

        /** Starts the load. */
        OpenLoop begin(int entities, OpenLoop.Operation operation) {
            Arrivals arrivals = Arrivals.poisson(perSecond, (long) leadInMillis + millis, entities, seed);
            OpenLoop loop = new OpenLoop(arrivals, entities, leadInMillis, MAX_IN_FLIGHT, operation);
            loop.begin();
            return loop;
        }
    }

    /**
     * What an entity writes.
     *
     * @param how {@code persist}, {@code persistAll} or {@code persistAsync}
     * @param times how many writes, one after another
     * @param events how many events a write has
     * @param bytes the size of an event
     */
    record Write(String how, int times, int events, int bytes) {}
}
