package io.dynajournal.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The arguments of {@code bench/compare}.
 *
 * @param workloads names; empty for all
 * @param plugins names; empty for all, or for those of a quick run
 * @param rounds each plugin has one turn per round
 * @param recording whether the plugins' JVMs write flight recordings
 * @param region of AWS; null for DynamoDB Local
 * @param documented whether the figures are written to the documentation
 */
record CompareArguments(
        boolean quick,
        List<String> workloads,
        List<String> plugins,
        int rounds,
        long seed,
        List<String> javaOptions,
        boolean recording,
        @Nullable String region,
        boolean documented) {

    static final String USAGE = """
            usage: bench/compare [--quick] [--workloads a,b] [--plugins x,y] [--repeat n] [--seed n]
                                 [--java-options "..."] [--record] [--aws region] [--document]
            --quick      a shorter run of the native layout and the peers: about three minutes
            --workloads  run these only, for example persist-one,cloud-1000; an unknown name lists all
            --plugins    run these only; an unknown name lists all
            --repeat     rounds, in each of which every plugin has a turn: 5 by default, 3 with --quick
            --seed       of the order of the turns, the arrivals and the simulated latencies; printed by every run
            --java-options  further options for the plugins' JVMs
            --record     write a flight recording of each plugin's JVM to bench/target
            --aws        use DynamoDB in this region, with the SDK's default credentials; this costs money
            --document   write the figures to docs/performance.md too""";

    static CompareArguments of(List<String> words) {
        boolean quick = false;
        List<String> workloads = List.of();
        List<String> plugins = List.of();
        int rounds = 0;
        long seed = System.nanoTime() & 0xffff_ffffL;
        List<String> javaOptions = List.of();
        boolean recording = false;
        String region = null;
        boolean documented = false;
        Iterator<String> word = words.iterator();
        while (word.hasNext()) {
            String option = word.next();
            switch (option) {
                case "--quick" -> quick = true;
                case "--document" -> documented = true;
                case "--record" -> recording = true;
                case "--workloads" -> workloads = list(value(option, word), ",");
                case "--plugins" -> plugins = list(value(option, word), ",");
                case "--java-options" -> javaOptions = list(value(option, word), " ");
                case "--repeat" -> rounds = (int) number(option, value(option, word));
                case "--aws" -> region = value(option, word);
                case "--seed" -> seed = number(option, value(option, word));
                default -> throw new IllegalArgumentException("unknown option " + option);
            }
        }
        checkWorkloads(workloads);
        Plugin.named(plugins);
        return new CompareArguments(
                quick,
                workloads,
                plugins,
                rounds > 0 ? rounds : quick ? 3 : 5,
                seed,
                javaOptions,
                recording,
                region,
                documented);
    }

    private static void checkWorkloads(List<String> names) {
        List<String> known = Workloads.names();
        for (String name : names) {
            if (!known.contains(name)) {
                throw new IllegalArgumentException("Unknown workload " + name + "; known are " + known);
            }
        }
    }

    private static String value(String option, Iterator<String> words) {
        if (!words.hasNext()) {
            throw new IllegalArgumentException(option + " needs a value");
        }
        return words.next();
    }

    private static List<String> list(String value, String separator) {
        return Arrays.stream(value.split(separator))
                .filter(each -> !each.isBlank())
                .toList();
    }

    private static long number(String option, String value) {
        try {
            return Long.parseLong(value);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(option + " needs a number, not " + value, e);
        }
    }

    /** Options for the plugins' JVMs. A quick run compiles with C1 only: C2 would use more CPU than the load itself. */
    List<String> jvm() {
        List<String> options = new ArrayList<>(javaOptions);
        if (quick) {
            options.add("-XX:TieredStopAtLevel=1");
        }
        return options;
    }

    /**
     * Whether a workload is to be run.
     *
     * @param inQuickRun whether a quick run includes it, unless workloads were named
     */
    boolean wants(String workload, boolean inQuickRun) {
        return workloads.isEmpty() ? inQuickRun || !quick : workloads.contains(workload);
    }
}
