package io.dynajournal.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.bench.LoadProcess.Answer;
import io.dynajournal.bench.LoadSession.ServerUsage;
import io.dynajournal.bench.wire.RequestCost;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.protocols.jsoncore.JsonNode;

class ResultsTest {

    private static final List<Plugin> PLUGINS = Plugin.named(List.of("dynajournal", "pekko-1.1.0", "akka-1.3.0"));
    private static final Plugin OURS = PLUGINS.get(0);
    private static final Plugin PEKKO = PLUGINS.get(1);
    private static final Plugin AKKA = PLUGINS.get(2);

    private final Results results = new Results(PLUGINS);

    private static Figures figures(String name, double value) {
        return new Figures(Map.of(name, value), true, null);
    }

    @Test
    void figuresOfWritesArePerEvent() {
        Answer answer = new Answer(5, 50, 2_000_000_000L, 100_000_000L, 5_000, 3_000_000, 7_000_000, 9_000_000);
        RequestCost put = new RequestCost(1, 0, 3, 0, 1_000, false, true);
        Figures figures = FigureFactory.ofWrites(
                answer, 50, 5, new ServerUsage(List.of(put, put, put, put, put), Optional.of(Duration.ofMillis(20))));
        assertThat(figures.numbers())
                .containsEntry(Figures.REQUESTS, 0.1)
                .containsEntry(Figures.WRITE_UNITS, 0.3)
                .containsEntry(Figures.READ_UNITS, 0.0)
                .containsEntry(Figures.BYTES, 100.0)
                .containsEntry(Figures.SPEED, 25.0)
                .containsEntry(Figures.MEDIAN, 3.0)
                .containsEntry(Figures.PERCENTILE_99, 7.0)
                .containsEntry(Figures.PERCENTILE_999, 9.0)
                .containsEntry(Figures.CPU, 2_000.0)
                .containsEntry(Figures.SERVER_CPU, 400.0)
                .containsEntry(Figures.ALLOCATED, 100.0);
        assertThat(figures.consistentReads()).isNull();
    }

    @Test
    void figuresOfRecoveriesArePerEntity() {
        Answer answer = new Answer(4, 0, 1_000_000_000L, 0, 0, 0, 0, 0);
        RequestCost consistent = new RequestCost(0, 0, 0, 1, 10, true, true);
        RequestCost eventual = new RequestCost(0, 0, 0, 0.5, 10, true, false);
        Figures figures = FigureFactory.ofRecoveries(
                answer, 4, new ServerUsage(List.of(consistent, consistent, consistent, eventual), Optional.empty()));
        assertThat(figures.numbers())
                .containsEntry(Figures.ENTITY_REQUESTS, 1.0)
                .containsEntry(Figures.ENTITY_READ_UNITS, 3.5 / 4)
                .containsEntry(Figures.ENTITY_SPEED, 4.0)
                .doesNotContainKey(Figures.REQUESTS)
                .doesNotContainKey(Figures.SERVER_CPU);
        assertThat(figures.consistentReads()).isFalse();
    }

    @Test
    void theMedianOfAllTurnsIsReported() {
        results.add("w", OURS, figures(Figures.SPEED, 10));
        results.add("w", OURS, Figures.failed("once"));
        results.add("w", OURS, figures(Figures.SPEED, 50));
        results.add("w", OURS, figures(Figures.SPEED, 20));
        results.add("w", OURS, figures(Figures.ROUND_TRIPS, 3));
        results.add("w", OURS, Figures.NONE);
        assertThat(results.number("w", "dynajournal", Figures.SPEED)).isEqualTo(20);
        assertThat(results.number("w", "dynajournal", Figures.ROUND_TRIPS)).isEqualTo(3);
        assertThat(results.each("w", "dynajournal", Figures.SPEED)).containsExactly(10.0, 50.0, 20.0);
    }

    @Test
    void theBestPeerIsTheFastestOrTheCheapest() {
        for (String name : List.of(Figures.SPEED, Figures.WRITE_UNITS)) {
            results.add(name, OURS, figures(name, 1_000));
            results.add(name, PEKKO, figures(name, 1));
            results.add(name, AKKA, figures(name, 2));
        }
        assertThat(results.bestPeer(Figures.SPEED, Figures.SPEED)).contains(2.0);
        assertThat(results.bestPeer(Figures.WRITE_UNITS, Figures.WRITE_UNITS)).contains(1.0);
    }

    @Test
    void theReportListsEveryPluginOfAWorkload() {
        results.add("persist-one", PEKKO, Figures.failed("no | luck"));
        results.add("persist-one", OURS, figures(Figures.SPEED, 1_500));
        results.add("persist-one", AKKA, figures(Figures.SPEED, 1_000));
        Report report = new Report(results, Map.of("seed", 1));
        JsonNode workload = JsonNode.parser()
                .parse(report.json())
                .field("workloads")
                .flatMap(workloads -> workloads.field("persist-one"))
                .orElseThrow();
        assertThat(workload.field("dynajournal")
                        .flatMap(ours -> ours.field(Figures.SPEED))
                        .orElseThrow()
                        .asNumber())
                .isEqualTo("1500");
        assertThat(workload.field("pekko-1.1.0").flatMap(failed -> failed.field("failure")))
                .isPresent();
        assertThat(report.markdown())
                .contains("| dynajournal | 1,500 (1.50) |")
                .contains("| pekko-1.1.0 | failed: no / luck |")
                .contains("| akka-1.3.0 | 1,000 |");
    }

    @Test
    void theToolkitsShareIsReportedSeparately() {
        List<Plugin> plugins =
                Plugin.named(List.of("dynajournal-indexed", "dynajournal-single-puts", "pekko-1.1.0", "toolkit-only"));
        Results onStub = new Results(plugins);
        Map<String, Double> cpu = Map.of(
                "dynajournal-indexed",
                90.0,
                "dynajournal-single-puts",
                400.0,
                "pekko-1.1.0",
                500.0,
                "toolkit-only",
                40.0);
        for (Plugin plugin : plugins) {
            onStub.add(
                    Workloads.STUB,
                    plugin,
                    new Figures(
                            Map.of(
                                    Figures.CPU,
                                    Objects.requireNonNull(cpu.get(plugin.name())),
                                    Figures.SPEED,
                                    30_000.0),
                            null,
                            null));
        }
        assertThat(new Report(onStub, Map.of()).markdown())
                .contains("The toolkit alone persists 30,000 events per second and uses 40 µs of CPU per event."
                        + " Without it, an event costs: `dynajournal-indexed` 50 of 90 µs,"
                        + " `dynajournal-single-puts` 360 of 400 µs.");
    }

    @Test
    void theToolkitsShareIsOmittedIfItWasNotMeasured() {
        results.add(Workloads.STUB, OURS, figures(Figures.CPU, 90));
        assertThat(new Report(results, Map.of()).markdown()).doesNotContain("The toolkit alone");
    }
}
