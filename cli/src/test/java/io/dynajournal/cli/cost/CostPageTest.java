package io.dynajournal.cli.cost;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class CostPageTest {

    private static final String GOLDEN = "page.html";

    private static CostReport report() {
        Workload workload = Workload.of(
                Map.of(),
                null,
                Map.of(
                        "events-per-second", "200",
                        "batch", "3",
                        "snapshot-every", "100",
                        "retention", "30d",
                        "projections", "2"));
        Prices prices = new Prices(
                "<eu-central-1>", "EUR & more", "2026-01-01", "\"a file\"", "on-demand capacity", 1.5, 0.4, 0.3);
        Estimate commits = new Estimate(
                "commits",
                List.of(
                        new Activity("events", 133.3, 66.7, 0),
                        new Activity("recoveries", 0, 0, 12.5),
                        new Activity("projection queries", 0, 0, 120)),
                252e9,
                34e9,
                true,
                List.of(),
                null);
        Estimate less = new Estimate(
                "akka1", List.of(new Activity("events", 202, 0, 0)), 361e9, 0, false, List.of("it has no index"), null);
        return new CostReport(
                workload,
                prices,
                List.of(commits, less, Estimate.impossible("sclasen", "an event of 500,000 bytes <is> too large")),
                List.of("Measured: table 'a&b'."));
    }

    /**
     * The whole page. To accept a new one, copy {@code target/page.html} over the golden file, and look at it in a browser, in the
     * light and in the dark.
     */
    @Test
    void isTheGoldenPage() throws IOException {
        String page = CostPage.of(report());
        Files.createDirectories(Path.of("target"));
        Files.writeString(Path.of("target", GOLDEN), page);
        try (InputStream golden = Objects.requireNonNull(CostPageTest.class.getResourceAsStream(GOLDEN))) {
            assertThat(page).isEqualTo(new String(golden.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    @Test
    void needsNothingElse() {
        String page = CostPage.of(report());
        assertThat(page).doesNotContainIgnoringCase("<script", "src=", "@import", "url(", "<link", "href=");
        assertThat(page)
                .contains(
                        "<svg",
                        "&lt;eu-central-1&gt;",
                        "EUR &amp; more",
                        "&quot;a file&quot;",
                        "table &#39;a&amp;b&#39;");
        assertThat(page).doesNotContain("<eu-central-1>", "<is>");
    }

    /** The lengths of a bar's segments are as their values. */
    @Test
    void barsAreAsLongAsTheirValues() {
        Bill bill = report().bill(report().estimates().get(0));
        double most = report().bill(report().estimates().get(1)).total();
        assertThat(bill.total()).isGreaterThan(most);
        String width = String.format(java.util.Locale.ROOT, "width=\"%.1f\"", 660 * bill.writes() / bill.total());
        assertThat(CostPage.of(report())).contains("<rect class=\"part0\" x=\"150.0\" y=\"8\" " + width);
    }
}
