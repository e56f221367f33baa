package io.dynajournal.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.dynajournal.listener.ProjectionListener.State;
import io.dynajournal.listener.QueryListener.Progress;
import io.dynajournal.listener.QueryListener.Stuck;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

/** The dashboard and the alert rules use names, labels and states that are really there. */
final class DashboardTest {

    private static final Path MONITORING = Path.of("../docs/monitoring");
    private static final Pattern METRIC = Pattern.compile("dynajournal_[a-z_]+");
    private static final Pattern LABEL = Pattern.compile("(\\w+)\\s*(?:=~|!~|!=|=)\\s*\"([^\"]*)\"");

    private static String scraped() {
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        DynajournalMetrics metrics = new DynajournalMetrics(registry);
        metrics.onRequest(Reports.put(Duration.ofMillis(4)));
        metrics.onRequest(Reports.group(25));
        metrics.onRequest(Reports.failedQuery());
        metrics.onRetry(Reports.retry());
        metrics.progressed(new Progress("query", 1, Instant.now(), 0));
        metrics.stuck(new Stuck("query", new IllegalStateException("x"), Duration.ofSeconds(1)));
        metrics.reported(Reports.status(State.RUNNING, Instant.now(), Instant.now()));
        return registry.scrape();
    }

    private static Set<String> matches(Pattern pattern, String text, int group) {
        return pattern.matcher(text)
                .results()
                .map(found -> found.group(group))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static List<String> dashboardExpressions() throws IOException {
        JsonNode dashboard = new ObjectMapper()
                .readTree(MONITORING.resolve("grafana-dashboard.json").toFile());
        return dashboard.findValuesAsText("expr");
    }

    private static List<JsonNode> alertRules() throws IOException {
        Object file = new Yaml().load(Files.readString(MONITORING.resolve("prometheus-alerts.yml")));
        List<JsonNode> rules = new ArrayList<>();
        for (JsonNode group : new ObjectMapper().<JsonNode>valueToTree(file).path("groups")) {
            group.path("rules").forEach(rules::add);
        }
        return rules;
    }

    private static void assertKnown(String expression) {
        String scraped = scraped();
        Set<String> samples = matches(Pattern.compile("(?m)^(dynajournal_[a-z_]+)"), scraped, 1);
        assertThat(samples).as(expression).containsAll(matches(METRIC, expression, 0));
        Set<String> labels = matches(Pattern.compile("(\\w+)=\""), scraped, 1);
        Matcher used = LABEL.matcher(expression);
        while (used.find()) {
            assertThat(labels).as(expression).contains(used.group(1));
        }
    }

    @Test
    void everyExpressionOfTheDashboardUsesMetricsThatExist() throws IOException {
        assertThat(dashboardExpressions()).hasSizeGreaterThan(10).allSatisfy(DashboardTest::assertKnown);
    }

    @Test
    void everyAlertUsesMetricsThatExistAndSaysWhatItMeans() throws IOException {
        assertThat(alertRules()).hasSizeGreaterThan(5).allSatisfy(rule -> {
            assertKnown(rule.path("expr").asText());
            assertThat(rule.path("annotations").path("summary").asText()).isNotBlank();
        });
    }

    @Test
    void everyMetricIsOnTheMonitoringPage() throws IOException {
        String page = Files.readString(Path.of("../docs/monitoring.md"));
        Set<String> families = matches(Pattern.compile("(?m)^# TYPE (dynajournal_\\w+) "), scraped(), 1);

        assertThat(families)
                .hasSizeGreaterThan(8)
                .allSatisfy(family -> assertThat(page).contains("`" + family + "`"));
    }
}
