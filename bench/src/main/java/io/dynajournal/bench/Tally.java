package io.dynajournal.bench;

import io.dynajournal.bench.LoadProcess.Answer;
import io.dynajournal.bench.wire.Bill;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Turns the bills of a phase and the plugin's own answer into figures. */
final class Tally {

    private static final double MILLION = 1e6;

    private Tally() {}

    /** @param events what each figure is for one of: events, or snapshots */
    static Figures ofWrites(Answer answer, long events, int entities, Stage.Turn turn) {
        Map<String, Double> numbers = new LinkedHashMap<>();
        addPerEvent(numbers, answer, events, turn);
        numbers.put(Figures.ENTITIES, (double) entities);
        numbers.put(Figures.EVENTS, (double) events);
        return new Figures(numbers, isConsistent(turn.bills()), null);
    }

    static Figures ofRecoveries(Answer answer, int entities, Stage.Turn turn) {
        Map<String, Double> numbers = new LinkedHashMap<>();
        List<Bill> bills = turn.bills();
        addPerEvent(numbers, answer, answer.events(), turn);
        numbers.put(Figures.ENTITY_REQUESTS, (double) bills.size() / entities);
        numbers.put(
                Figures.ENTITY_READ_UNITS,
                bills.stream().mapToDouble(Bill::readUnits).sum() / entities);
        numbers.put(Figures.ENTITY_SPEED, entities / seconds(answer));
        numbers.put(Figures.ENTITIES, (double) entities);
        numbers.put(Figures.EVENTS, (double) answer.events());
        return new Figures(numbers, isConsistent(turn.bills()), null);
    }

    /** Without bills: a stub keeps nothing. */
    static Figures ofStub(Answer answer, int entities, long requests) {
        Map<String, Double> numbers = new LinkedHashMap<>();
        addTimes(numbers, answer, answer.events());
        numbers.put(Figures.REQUESTS, (double) requests / answer.events());
        numbers.put(Figures.ENTITIES, (double) entities);
        numbers.put(Figures.EVENTS, (double) answer.events());
        return new Figures(numbers, null, null);
    }

    private static void addPerEvent(Map<String, Double> numbers, Answer answer, long events, Stage.Turn turn) {
        List<Bill> bills = turn.bills();
        if (events > 0) {
            turn.serverCpu().ifPresent(cpu -> numbers.put(Figures.SERVER_CPU, cpu.toNanos() / 1e3 / events));
            numbers.put(Figures.REQUESTS, (double) bills.size() / events);
            numbers.put(
                    Figures.WRITE_UNITS,
                    bills.stream().mapToDouble(Bill::writeUnits).sum() / events);
            numbers.put(
                    Figures.READ_UNITS,
                    bills.stream().mapToDouble(Bill::readUnits).sum() / events);
            numbers.put(Figures.BYTES, bills.stream().mapToDouble(Bill::bytes).sum() / events);
            numbers.put(
                    Figures.ITEMS,
                    bills.stream()
                                    .mapToDouble(bill -> bill.itemsWritten() + bill.itemsRead())
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
        numbers.put(Figures.MEDIAN, answer.medianNanos() / MILLION);
        numbers.put(Figures.PERCENTILE_99, answer.percentile99Nanos() / MILLION);
    }

    private static double seconds(Answer answer) {
        return answer.nanos() / 1e9;
    }

    private static @Nullable Boolean isConsistent(List<Bill> bills) {
        return bills.stream().noneMatch(Bill::read) ? null : bills.stream().allMatch(Bill::consistent);
    }
}
