package io.dynajournal.cli;

import io.dynajournal.internal.store.Finding;
import io.dynajournal.internal.store.Finding.Repair;
import io.dynajournal.internal.store.FindingKind;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** How many findings of each kind there are, and what can be repaired. Not thread-safe. */
final class DoctorFindings {

    /** The next run finds the others. */
    private static final int MAX_REPAIRS = 10_000;

    private static final int REPAIRS_SHOWN = 20;

    private final Map<FindingKind, Integer> counts = new EnumMap<>(FindingKind.class);
    private final List<Finding> repairable = new ArrayList<>();
    private int count;

    void add(Finding finding) {
        count++;
        counts.merge(finding.kind(), 1, Integer::sum);
        if (finding.repair() != null && repairable.size() < MAX_REPAIRS) {
            repairable.add(finding);
        }
    }

    boolean isEmpty() {
        return count == 0;
    }

    int count() {
        return count;
    }

    List<Repair> repairs() {
        List<Repair> repairs = new ArrayList<>();
        for (Finding finding : repairable) {
            @Nullable Repair repair = finding.repair();
            if (repair != null) {
                repairs.add(repair);
            }
        }
        return repairs;
    }

    /** What a repair does, in full sentences. */
    String plan() {
        StringBuilder plan = new StringBuilder("This repairs " + repairable.size() + " of " + count + " findings:");
        repairable.stream().limit(REPAIRS_SHOWN).forEach(finding -> {
            @Nullable Repair repair = finding.repair();
            plan.append("\n  ")
                    .append(finding.persistenceId())
                    .append(": ")
                    .append(repair == null ? "" : repair.plan());
        });
        if (repairable.size() > REPAIRS_SHOWN) {
            plan.append("\n  and ").append(repairable.size() - REPAIRS_SHOWN).append(" more");
        }
        return plan.toString();
    }

    /** For people. */
    String summary() {
        String kinds = counts.entrySet().stream()
                .map(entry -> entry.getValue() + " " + entry.getKey().title())
                .collect(Collectors.joining(", "));
        return count + " findings: " + kinds + ". " + repairable.size() + " can be repaired with --repair.";
    }
}
