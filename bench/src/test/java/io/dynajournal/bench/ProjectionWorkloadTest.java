package io.dynajournal.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.bench.LoadProcess.Answer;
import io.dynajournal.bench.LoadSession.ServerUsage;
import io.dynajournal.bench.wire.Exchange;
import io.dynajournal.bench.wire.RequestCost;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ProjectionWorkloadTest {

    private static Exchange on(String table, long begin) {
        String request = "{\"TableName\":\"bench_1" + table + "\"}";
        return new Exchange("Query", request.getBytes(StandardCharsets.UTF_8), 200, new byte[0], begin, begin + 1);
    }

    @Test
    void aStartEndsWhereEventsAreRead() {
        assertThat(ProjectionWorkload.startRequests(List.of(
                        on("_offsets", 4),
                        on("_events", 3),
                        on("_offsets", 2),
                        on("_snapshots", 1),
                        on("_offsets", 0))))
                .isEqualTo(2);
    }

    @Test
    void aProjectionHasNoPercentiles() {
        RequestCost put = new RequestCost(1, 0, 2, 0, 100, false, true);
        Figures figures = FigureFactory.ofProjection(
                new Answer(1, 10, 2_000_000_000L, 1_000_000, 500, 5, 5, 5),
                new ServerUsage(List.of(put), Optional.empty()));
        assertThat(figures.numbers())
                .containsEntry(Figures.SPEED, 5.0)
                .containsEntry(Figures.WRITE_UNITS, 0.2)
                .containsEntry(Figures.REQUESTS, 0.1)
                .doesNotContainKeys(Figures.MEDIAN, Figures.PERCENTILE_99, Figures.PERCENTILE_999);
    }

    @Test
    void projectionsHaveRowsAndTablesOfTheirOwn() {
        assertThat(Workloads.on(Scale.FULL).stream().filter(Workload::needsProjections))
                .extracting(Workload::name)
                .containsExactly("project-at-least-once", "project-exactly-once", "project-grouped")
                .allMatch(name -> name.startsWith(ProjectionWorkload.PREFIX));
        List<Plugin> plugins =
                Plugin.named(List.of()).stream().filter(Plugin::projects).toList();
        assertThat(plugins)
                .extracting(Plugin::name)
                .containsExactly("dynajournal-projection", "dynajournal-projection-packed");
        Results results = new Results(plugins);
        results.add(
                "project-grouped",
                plugins.get(1),
                new Figures(Map.of(Figures.SPEED, 1_500.0, Figures.START_REQUESTS, 13.0), null, null));
        Report report = new Report(results, Map.of());
        assertThat(report.projections())
                .contains("| plugin | eventsPerSecond | requestsAtStart |")
                .contains("| dynajournal-projection-packed | 1,500 | 13 |");
        // Nothing else was measured, so that the page keeps its tables of entities and its claims.
        assertThat(report.comparison()).isEmpty();
    }
}
