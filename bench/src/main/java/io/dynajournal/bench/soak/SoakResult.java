package io.dynajournal.bench.soak;

import io.dynajournal.bench.soak.Sample.Trend;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The outcome of a run.
 *
 * @param kills by victim
 * @param faults by kind, and the number of requests
 * @param samples of the process that was never killed
 * @param problems empty if nothing was lost
 */
record SoakResult(
        SoakArguments arguments,
        Map<String, Integer> kills,
        Map<String, Long> faults,
        long acknowledged,
        List<Sample> samples,
        List<String> problems) {

    /** With fewer samples nothing is said about growth: the JVM is still warming up. */
    private static final int ENOUGH = 40;

    long requests() {
        return faults.getOrDefault("requests", 0L);
    }

    long injected() {
        return faults.values().stream().mapToLong(Long::longValue).sum() - requests();
    }

    List<Trend> trends() {
        if (samples.size() < ENOUGH) {
            return List.of();
        }
        return List.of(
                Trend.ofMedians("heap after GC (bytes)", samples, Sample::heap),
                Trend.ofMedians("threads", samples, Sample::threads),
                Trend.ofMaxima("sockets at most", samples, Sample::sockets));
    }

    boolean passed() {
        return problems.isEmpty() && trends().stream().allMatch(Trend::isFlat);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(String.format(
                Locale.ROOT,
                "%d s, seed %d: %,d events acknowledged; %d kills %s; %,d faults in %,d requests (%.1f %%) %s%n",
                arguments.time().toSeconds(),
                arguments.seed(),
                acknowledged,
                kills.values().stream().mapToInt(Integer::intValue).sum(),
                kills,
                injected(),
                requests(),
                100.0 * injected() / Math.max(1, requests()),
                new TreeMap<>(faults)));
        if (!samples.isEmpty()) {
            Sample end = samples.get(samples.size() - 1);
            text.append(String.format(
                    Locale.ROOT,
                    "the process that lived: %,d events acknowledged, %,d recoveries, %,d failures%n",
                    end.acknowledged(),
                    end.recoveries(),
                    end.failures()));
        }
        trends().forEach(trend -> text.append(trend).append(System.lineSeparator()));
        return text.append(
                        problems.isEmpty()
                                ? "nothing lost"
                                : problems.size() + " problems:" + System.lineSeparator()
                                        + problems.stream()
                                                .limit(50)
                                                .collect(Collectors.joining(System.lineSeparator())))
                .toString();
    }
}
