package io.dynajournal.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Figures by workload and plugin, over all turns. Not thread-safe. */
final class Results {

    private final List<Plugin> plugins;
    private final Map<String, Map<String, List<Figures>>> runs = new LinkedHashMap<>();

    /** @param plugins in the order of the tables */
    Results(List<Plugin> plugins) {
        this.plugins = List.copyOf(plugins);
    }

    void add(String workload, Plugin plugin, Figures figures) {
        runs.computeIfAbsent(workload, name -> new LinkedHashMap<>())
                .computeIfAbsent(plugin.name(), name -> new ArrayList<>())
                .add(figures);
    }

    List<String> workloads() {
        return List.copyOf(runs.keySet());
    }

    /** The figures of a workload, in the order of the plugins. */
    Map<String, Figures> of(String workload) {
        Map<String, List<Figures>> measured = runs.getOrDefault(workload, Map.of());
        Map<String, Figures> medians = new LinkedHashMap<>();
        for (Plugin plugin : plugins) {
            List<Figures> repeated = measured.get(plugin.name());
            if (repeated != null) {
                medians.put(plugin.name(), Figures.median(repeated));
            }
        }
        return medians;
    }

    /** A figure of each turn. */
    List<Double> each(String workload, String plugin, String name) {
        return runs.getOrDefault(workload, Map.of()).getOrDefault(plugin, List.of()).stream()
                .map(figures -> figures.number(name))
                .filter(Objects::nonNull)
                .toList();
    }

    @Nullable
    Double number(String workload, String plugin, String name) {
        Figures figures = of(workload).get(plugin);
        return figures == null ? null : figures.number(name);
    }

    /** The best of the peers: the highest figure where more is better, else the lowest. */
    Optional<Double> bestPeer(String workload, String name) {
        return best(workload, name, false);
    }

    /** The best of the peers that made consistent reads only. */
    Optional<Double> bestConsistentPeer(String workload, String name) {
        return best(workload, name, true);
    }

    private Optional<Double> best(String workload, String name, boolean consistentOnly) {
        Map<String, Figures> measured = of(workload);
        List<Double> values = new ArrayList<>();
        for (Plugin plugin : plugins) {
            Figures figures = measured.get(plugin.name());
            if (plugin.role() == Plugin.Role.PEER
                    && figures != null
                    && figures.number(name) != null
                    && (!consistentOnly || Boolean.TRUE.equals(figures.consistentReads()))) {
                values.add(figures.number(name));
            }
        }
        return moreIsBetter(name)
                ? values.stream().max(Double::compare)
                : values.stream().min(Double::compare);
    }

    static boolean moreIsBetter(String name) {
        return name.endsWith("PerSecond");
    }
}
