package io.dynajournal.cli.cost;

import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** An estimate as an HTML page that needs nothing else: styles and charts are in it, and it has no scripts. */
public final class CostPage {

    /** The parts of a bill, in the order of a bar. */
    private static final List<String> PARTS = List.of("writes", "reads", "storage", "index");

    /** What takes units, in the order of a bar. */
    private static final List<String> ACTIVITIES =
            List.of("events", "snapshots", "recoveries", "projection queries", "projection offsets", "deletes");

    private static final int CHART_WIDTH = 960;
    private static final int LABEL_WIDTH = 150;
    private static final int BAR_WIDTH = 660;
    private static final int BAR_HEIGHT = 26;
    private static final int BAR_STEP = 38;

    private final CostReport report;
    private final StringBuilder out = new StringBuilder();

    private CostPage(CostReport report) {
        this.report = report;
    }

    /** The page as text. */
    public static String of(CostReport report) {
        return new CostPage(report).page();
    }

    private String page() {
        Workload workload = report.workload();
        String subject = Figures.number(workload.eventsPerSecond()) + " events per second of "
                + Figures.number(workload.eventSize()) + " bytes";
        out.append("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
                .append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>")
                .append(escaped("DynamoDB cost: " + subject))
                .append("</title>\n<style>\n")
                .append(CostSettings.resource("page.css"))
                .append("</style>\n</head>\n<body>\n<main>\n");
        tag("h1", "What a month on DynamoDB costs");
        paragraph(
                "lead",
                subject + ", in batches of " + workload.batch() + ", by " + Figures.number((double) workload.entities())
                        + " entities, on each layout of tables.");
        paragraph(
                "note",
                "Prices of region " + report.prices().region() + ", "
                        + report.prices().billing() + ", as of "
                        + report.prices().asOf() + ", in " + report.prices().currency()
                        + ". Check them before you rely on them: "
                        + report.prices().source());
        tag("h2", "Cost per month");
        billChart();
        billTable();
        if (possible().stream().anyMatch(estimate -> !estimate.whole())) {
            paragraph("note", "* Without the projections, which this layout cannot carry.");
        }
        tag("h2", "Where the units go");
        paragraph(
                "note",
                "The monthly cost of write and read units by what takes them, indexes included; storage is not in it.");
        activityChart();
        activityTable();
        notes();
        workload();
        list("What is assumed", report.assumptions());
        out.append("</main>\n</body>\n</html>\n");
        return out.toString();
    }

    private List<Estimate> possible() {
        return report.estimates().stream()
                .filter(estimate -> estimate.problem() == null)
                .toList();
    }

    private static String label(Estimate estimate) {
        return estimate.layout() + (estimate.whole() || estimate.problem() != null ? "" : " *");
    }

    private static Map<String, Double> parts(Bill bill) {
        Map<String, Double> parts = new LinkedHashMap<>();
        parts.put("writes", bill.writes());
        parts.put("reads", bill.reads());
        parts.put("storage", bill.storage());
        parts.put("index", bill.index());
        return parts;
    }

    private Map<String, Double> costs(Estimate estimate) {
        Map<String, Double> costs = new TreeMap<>(Comparator.comparingInt(ACTIVITIES::indexOf));
        for (Activity activity : estimate.activities()) {
            costs.merge(
                    activity.name(),
                    activity.writes() * report.prices().write()
                            + activity.reads() * report.prices().read(),
                    Double::sum);
        }
        return costs;
    }

    // ---- Charts ----

    private void billChart() {
        Map<String, Map<String, Double>> bars = new LinkedHashMap<>();
        possible().forEach(estimate -> bars.put(label(estimate), parts(report.bill(estimate))));
        chart("Cost per month by layout: writes, reads, storage and index", "part", PARTS, bars);
    }

    private void activityChart() {
        Map<String, Map<String, Double>> bars = new LinkedHashMap<>();
        possible().forEach(estimate -> bars.put(label(estimate), costs(estimate)));
        Set<String> used =
                bars.values().stream().flatMap(bar -> bar.keySet().stream()).collect(Collectors.toSet());
        chart(
                "Cost of units per month by layout and activity",
                "act",
                ACTIVITIES.stream().filter(used::contains).toList(),
                bars);
    }

    /** @param style the class of a segment is this and the number of its name among all of its kind */
    private void chart(String title, String style, List<String> names, Map<String, Map<String, Double>> bars) {
        List<String> all = style.equals("part") ? PARTS : ACTIVITIES;
        out.append("<p class=\"legend\">");
        names.forEach(name -> out.append("<span><i class=\"")
                .append(style)
                .append(all.indexOf(name))
                .append("\"></i>")
                .append(escaped(name))
                .append("</span> "));
        out.append("</p>\n");
        double most = bars.values().stream()
                .mapToDouble(bar ->
                        bar.values().stream().mapToDouble(Double::doubleValue).sum())
                .max()
                .orElse(0);
        int height = bars.size() * BAR_STEP + 8;
        out.append(String.format(
                Locale.ROOT,
                "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">\n",
                CHART_WIDTH,
                height,
                escaped(title)));
        int y = 8;
        for (Map.Entry<String, Map<String, Double>> bar : bars.entrySet()) {
            bar(style, names, all, bar.getKey(), bar.getValue(), most, y);
            y += BAR_STEP;
        }
        out.append("</svg>\n");
    }

    private void bar(
            String style,
            List<String> names,
            List<String> all,
            String label,
            Map<String, Double> bar,
            double most,
            int y) {
        text(LABEL_WIDTH - 10, y, "end", label);
        double x = LABEL_WIDTH;
        double sum = 0;
        for (String name : names) {
            double value = bar.getOrDefault(name, 0.0);
            double width = most == 0 ? 0 : value / most * BAR_WIDTH;
            sum += value;
            if (width > 0) {
                out.append(String.format(
                        Locale.ROOT,
                        "<rect class=\"%s%d\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\"><title>%s</title></rect>\n",
                        style,
                        all.indexOf(name),
                        x,
                        y,
                        width,
                        BAR_HEIGHT,
                        escaped(label + ", " + name + ": " + money(value))));
            }
            x += width;
        }
        text(x + 8, y, "start", money(sum));
    }

    private void text(double x, int y, String anchor, String text) {
        out.append(String.format(
                Locale.ROOT,
                "<text x=\"%.1f\" y=\"%d\" text-anchor=\"%s\">%s</text>\n",
                x,
                y + BAR_HEIGHT - 8,
                anchor,
                escaped(text)));
    }

    // ---- Tables ----

    private void billTable() {
        double least = possible().stream()
                .filter(Estimate::whole)
                .mapToDouble(estimate -> report.bill(estimate).total())
                .min()
                .orElse(0);
        String currency = report.prices().currency();
        begin(
                "figures",
                List.of(
                        "layout",
                        "write units/s",
                        "index write units/s",
                        "read units/s",
                        "GB",
                        "index GB",
                        "writes, " + currency,
                        "reads, " + currency,
                        "storage, " + currency,
                        "index, " + currency,
                        "month, " + currency));
        for (Estimate estimate : report.estimates()) {
            if (estimate.problem() != null) {
                out.append("<tr><th scope=\"row\">")
                        .append(escaped(estimate.layout()))
                        .append("</th><td class=\"text\" colspan=\"10\">not possible: ")
                        .append(escaped(estimate.problem()))
                        .append("</td></tr>\n");
                continue;
            }
            Bill bill = report.bill(estimate);
            out.append(estimate.whole() && bill.total() <= least ? "<tr class=\"least\">" : "<tr>");
            cells(
                    label(estimate),
                    Stream.concat(
                                    Stream.of(
                                                    estimate.sum(Activity::tableWrites),
                                                    estimate.sum(Activity::indexWrites),
                                                    estimate.sum(Activity::reads),
                                                    estimate.tableBytes() / 1e9,
                                                    estimate.indexBytes() / 1e9)
                                            .map(Figures::number),
                                    Stream.concat(parts(bill).values().stream(), Stream.of(bill.total()))
                                            .map(Figures::money))
                            .toList());
        }
        end();
    }

    private void activityTable() {
        begin("texts", List.of("layout", "activity", "write units/s", "index write units/s", "read units/s"));
        for (Estimate estimate : possible()) {
            String layout = estimate.layout();
            for (Activity activity : estimate.activities()) {
                out.append(layout.isEmpty() ? "<tr>" : "<tr class=\"first\">");
                out.append("<th scope=\"row\">").append(escaped(layout)).append("</th><td class=\"text\">");
                out.append(escaped(activity.name())).append("</td>");
                Stream.of(activity.tableWrites(), activity.indexWrites(), activity.reads())
                        .forEach(units ->
                                out.append("<td>").append(Figures.number(units)).append("</td>"));
                out.append("</tr>\n");
                layout = "";
            }
        }
        end();
    }

    private void begin(String style, List<String> headings) {
        out.append("<div class=\"wide\"><table class=\"").append(style).append("\">\n<thead><tr>");
        headings.forEach(heading ->
                out.append("<th scope=\"col\">").append(escaped(heading)).append("</th>"));
        out.append("</tr></thead>\n<tbody>\n");
    }

    private void cells(String heading, List<String> values) {
        out.append("<th scope=\"row\">").append(escaped(heading)).append("</th>");
        values.forEach(value -> out.append("<td>").append(escaped(value)).append("</td>"));
        out.append("</tr>\n");
    }

    private void end() {
        out.append("</tbody></table></div>\n");
    }

    // ---- Text ----

    private void notes() {
        List<String> notes = report.estimates().stream()
                .flatMap(estimate -> estimate.notes().stream().map(note -> estimate.layout() + ": " + note + "."))
                .toList();
        list("What differs", notes);
        list("What was measured", report.findings());
    }

    private void list(String heading, List<String> lines) {
        if (lines.isEmpty()) {
            return;
        }
        tag("h2", heading);
        out.append("<ul>\n");
        lines.forEach(line -> out.append("<li>").append(escaped(line)).append("</li>\n"));
        out.append("</ul>\n");
    }

    private void workload() {
        Workload w = report.workload();
        tag("h2", "The workload");
        begin("texts", List.of("what", "value"));
        row("events per second", Figures.number(w.eventsPerSecond()));
        row(
                "event",
                Figures.number(w.eventSize()) + " bytes, " + w.compressible() + " % redundant; manifest "
                        + w.manifestSize() + " bytes");
        row("batch", w.batch() + " events");
        row("entities", Figures.number((double) w.entities()) + ", ids of " + w.idSize() + " bytes");
        row(
                "snapshots",
                w.snapshotEvery() == 0
                        ? "none"
                        : "every " + Figures.number(w.snapshotEvery()) + " events, " + Figures.number(w.snapshotSize())
                                + " bytes, " + w.keepSnapshots() + " kept");
        row("recoveries", Figures.number(w.startsPerDay()) + " per entity and day");
        Duration retention = w.retention();
        row(
                "retention",
                retention == null
                        ? "for ever; storage after " + w.months() + " months"
                        : Figures.number(retention.toSeconds() / 86_400.0) + " days, then "
                                + (w.removesByExpiry() ? "expiry" : "deletes"));
        row(
                "projections",
                w.projections() == 0
                        ? "none"
                        : w.projections() + ", " + guarantee(w) + ", offsets "
                                + (w.packedOffsets() ? "packed" : "timestamp-offset") + ", " + w.instances()
                                + " instances each");
        end();
    }

    private static String guarantee(Workload workload) {
        return switch (workload.group()) {
            case 0 -> "at-least-once";
            case 1 -> "exactly-once";
            default -> "exactly-once in groups of " + workload.group();
        };
    }

    private void row(String name, String value) {
        out.append("<tr><th scope=\"row\">")
                .append(escaped(name))
                .append("</th><td class=\"text\">")
                .append(escaped(value))
                .append("</td></tr>\n");
    }

    private void tag(String name, String text) {
        out.append('<')
                .append(name)
                .append('>')
                .append(escaped(text))
                .append("</")
                .append(name)
                .append(">\n");
    }

    private void paragraph(String style, String text) {
        out.append("<p class=\"")
                .append(style)
                .append("\">")
                .append(escaped(text))
                .append("</p>\n");
    }

    private String money(double value) {
        return Figures.money(value) + " " + report.prices().currency();
    }

    /** Prices and layouts may come from files. */
    static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }
}
