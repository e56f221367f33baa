package io.dynajournal.cli.cost;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.dynajournal.cli.terminal.Output;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * An estimate for all layouts.
 *
 * @param findings what was measured of a running system, for people; empty for a described workload
 */
public record CostReport(Workload workload, Prices prices, List<Estimate> estimates, List<String> findings) {

    private static final ObjectMapper JSON = new ObjectMapper();

    public CostReport {
        estimates = List.copyOf(estimates);
        findings = List.copyOf(findings);
    }

    Bill bill(Estimate estimate) {
        return prices.bill(estimate);
    }

    /** The line of a layout: units per second, gigabytes, and money per month. */
    public Map<String, Object> values(Estimate estimate, boolean details) {
        if (estimate.problem() != null) {
            return Output.values("layout", estimate.layout(), "problem", estimate.problem());
        }
        Bill bill = bill(estimate);
        Map<String, Object> values = Output.values(
                "layout",
                estimate.layout(),
                "writeUnits",
                Figures.rounded(estimate.sum(Activity::tableWrites)),
                "indexUnits",
                Figures.rounded(estimate.sum(Activity::indexWrites)),
                "readUnits",
                Figures.rounded(estimate.sum(Activity::reads)),
                "gb",
                Figures.rounded(estimate.tableBytes() / 1e9),
                "indexGb",
                Figures.rounded(estimate.indexBytes() / 1e9),
                "writes",
                Figures.cents(bill.writes()),
                "reads",
                Figures.cents(bill.reads()),
                "storage",
                Figures.cents(bill.storage()),
                "index",
                Figures.cents(bill.index()),
                "monthly",
                Figures.cents(bill.total()),
                "currency",
                prices.currency());
        if (details) {
            values.put("activities", new Output.Json(activities(estimate)));
            values.put("notes", estimate.notes());
        }
        return values;
    }

    private static String activities(Estimate estimate) {
        List<Map<String, Object>> activities = new ArrayList<>();
        for (Activity activity : estimate.activities()) {
            Map<String, Object> values = new LinkedHashMap<>();
            values.put("activity", activity.name());
            values.put("writeUnits", Figures.rounded(activity.tableWrites()));
            values.put("indexUnits", Figures.rounded(activity.indexWrites()));
            values.put("readUnits", Figures.rounded(activity.reads()));
            activities.add(values);
        }
        try {
            return JSON.writeValueAsString(activities);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    /** What a reader must know of the figures. */
    public List<String> remarks() {
        List<String> remarks = new ArrayList<>(findings);
        for (Estimate estimate : estimates) {
            estimate.notes().forEach(note -> remarks.add(estimate.layout() + ": " + note + "."));
        }
        remarks.add("Units per second; money per month in " + prices.currency() + ", region " + prices.region() + ", "
                + prices.billing() + ", prices as of " + prices.asOf() + " (" + prices.source()
                + "): check them before you rely on them, and give others with --prices.");
        return remarks;
    }

    /** What is not in the figures, or was taken for granted. */
    List<String> assumptions() {
        List<String> assumptions = new ArrayList<>();
        assumptions.add(
                "The rate is even over the month. On demand a unit costs the same in a peak; provisioned capacity is"
                        + " counted at " + Math.round(workload.utilization() * 100) + " % utilization.");
        assumptions.add(
                "Event bytes are random except for the compressible part. No retries, no conflicts, no throttling.");
        if (workload.retention() == null) {
            assumptions.add("Events are kept for ever: storage is that after " + workload.months() + " months.");
        }
        if (workload.projections() > 0) {
            assumptions.add(
                    "Projections read all events of one entity type and keep up; the handlers' own tables are not"
                            + " counted. A request takes 5 ms, and the index lags by 10 ms. Queries in one process that share"
                            + " pages read less.");
        }
        assumptions.add(
                "A GB is 10^9 bytes; an item and an index row are stored with 100 bytes more. Free tiers, backups,"
                        + " streams, global tables and data transfer are not counted.");
        return assumptions;
    }
}
