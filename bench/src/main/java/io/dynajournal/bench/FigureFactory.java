package io.dynajournal.bench;

import io.dynajournal.bench.LoadProcess.Answer;
import io.dynajournal.bench.wire.RequestCost;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Computes figures from what the plugin's JVM reported and what its requests cost. */
final class FigureFactory {

    private static final double NANOS_PER_MILLI = 1e6;

    private FigureFactory() {}

    /** @param events the number that figures are divided by: events, or snapshots */
    static Figures ofWrites(Answer answer, long events, int entities, LoadSession.ServerUsage usage) {
        Map<String, Double> numbers = new LinkedHashMap<>();
        addPerEvent(numbers, answer, events, usage);
        numbers.put(Figures.ENTITIES, (double) entities);
        numbers.put(Figures.EVENTS, (double) events);
        return new Figures(numbers, isConsistent(usage.costs()), null);
    }

    static Figures ofRecoveries(Answer answer, int entities, LoadSession.ServerUsage usage) {
        Map<String, Double> numbers = new LinkedHashMap<>();
        List<RequestCost> costs = usage.costs();
        addPerEvent(numbers, answer, answer.events(), usage);
        numbers.put(Figures.ENTITY_REQUESTS, (double) costs.size() / entities);
        numbers.put(
                Figures.ENTITY_READ_UNITS,
                costs.stream().mapToDouble(RequestCost::readUnits).sum() / entities);
        numbers.put(Figures.ENTITY_SPEED, entities / seconds(answer));
        numbers.put(Figures.ENTITIES, (double) entities);
        numbers.put(Figures.EVENTS, (double) answer.events());
        return new Figures(numbers, isConsistent(usage.costs()), null);
    }

    /** A projection is one operation, so there are no percentiles. */
    static Figures ofProjection(Answer answer, LoadSession.ServerUsage usage) {
        Map<String, Double> numbers = new LinkedHashMap<>();
        addPerEvent(numbers, answer, answer.events(), usage);
        numbers.keySet().removeAll(List.of(Figures.MEDIAN, Figures.PERCENTILE_99, Figures.PERCENTILE_999));
        numbers.put(Figures.EVENTS, (double) answer.events());
        return new Figures(numbers, isConsistent(usage.costs()), null);
    }

    /** On a simulated server, which stores nothing and so charges nothing. */
    static Figures ofSimulation(Answer answer, int entities, long requests) {
        Map<String, Double> numbers = new LinkedHashMap<>();
        addTimes(numbers, answer, answer.events());
        if (answer.operations() > 0) {
            numbers.put(Figures.REQUESTS, (double) requests / answer.operations());
        }
        numbers.put(Figures.ENTITIES, (double) entities);
        numbers.put(Figures.EVENTS, (double) answer.events());
        return new Figures(numbers, null, null);
    }

    /** @param worst the writers' worst span while entities recovered */
    static Figures ofStorm(Answer calm, Answer worst, double entitiesPerSecond) {
        Map<String, Double> numbers = new LinkedHashMap<>();
        addTimes(numbers, worst, worst.events());
        numbers.put(Figures.CALM_PERCENTILE_99, calm.percentile99Nanos() / NANOS_PER_MILLI);
        numbers.put(Figures.ENTITY_SPEED, entitiesPerSecond);
        numbers.put(Figures.ENTITIES, (double) StormWorkload.ENTITIES);
        return new Figures(numbers, null, null);
    }

    private static void addPerEvent(
            Map<String, Double> numbers, Answer answer, long events, LoadSession.ServerUsage usage) {
        List<RequestCost> costs = usage.costs();
        if (events > 0) {
            usage.serverCpu().ifPresent(cpu -> numbers.put(Figures.SERVER_CPU, cpu.toNanos() / 1e3 / events));
            numbers.put(Figures.REQUESTS, (double) costs.size() / events);
            numbers.put(
                    Figures.WRITE_UNITS,
                    costs.stream().mapToDouble(RequestCost::writeUnits).sum() / events);
            numbers.put(
                    Figures.READ_UNITS,
                    costs.stream().mapToDouble(RequestCost::readUnits).sum() / events);
            numbers.put(
                    Figures.BYTES,
                    costs.stream().mapToDouble(RequestCost::bytes).sum() / events);
            numbers.put(
                    Figures.ITEMS,
                    costs.stream()
                                    .mapToDouble(cost -> cost.itemsWritten() + cost.itemsRead())
                                    .sum()
                            / events);
        }
        addTimes(numbers, answer, events);
    }

    private static void addTimes(Map<String, Double> numbers, Answer answer, long events) {
        if (events > 0) {
            numbers.put(Figures.SPEED, events / seconds(answer));
            numbers.put(Figures.CPU, answer.cpuNanos() / 1e3 / events);
            numbers.put(Figures.ALLOCATED, (double) answer.allocatedBytes() / events);
        }
        numbers.put(Figures.MEDIAN, answer.medianNanos() / NANOS_PER_MILLI);
        numbers.put(Figures.PERCENTILE_99, answer.percentile99Nanos() / NANOS_PER_MILLI);
        numbers.put(Figures.PERCENTILE_999, answer.percentile999Nanos() / NANOS_PER_MILLI);
    }

    private static double seconds(Answer answer) {
        return answer.nanos() / 1e9;
    }

    private static @Nullable Boolean isConsistent(List<RequestCost> costs) {
        return costs.stream().noneMatch(RequestCost::read)
                ? null
                : costs.stream().allMatch(RequestCost::consistent);
    }
}
