package io.dynajournal.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What was asked for.
 *
 * @param workloads names; empty for all
 * @param plugins names; empty for the usual ones
 * @param rounds in which each plugin has a turn
 * @param recording whether the JVMs of the plugins write recordings
 * @param region of AWS; null for DynamoDB Local
 * @param documented whether the figures go into the documentation
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
            --quick      less of everything, the native layout and the peers only: under three minutes
            --repeat     how many turns each plugin has in a workload, else 5, or 3 if quick
            --record     a flight recording of each plugin's JVM in bench/target
            --aws        DynamoDB itself, with the credentials that the SDK finds; it costs money
            --document   the figures go into docs/performance.md too""";

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
        List<String> known =
                Workloads.on(Scale.QUICK).stream().map(Workload::name).toList();
        for (String name : names) {
            if (!known.contains(name) && !name.equals(Workloads.STUB)) {
                throw new IllegalArgumentException(
                        "There is no workload " + name + "; there are " + known + " and " + Workloads.STUB);
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

    /** For the JVMs of plugins. In a quick run C1 compiles alone: C2 would take more of the machine than what is measured. */
    List<String> jvm() {
        List<String> options = new ArrayList<>(javaOptions);
        if (quick) {
            options.add("-XX:TieredStopAtLevel=1");
        }
        return options;
    }

    boolean wants(String workload) {
        return workloads.isEmpty() || workloads.contains(workload);
    }
}
