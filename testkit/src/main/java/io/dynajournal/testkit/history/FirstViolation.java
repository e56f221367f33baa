package io.dynajournal.testkit.history;

import java.util.List;

/** Prints after how many schedules a layout breaks a guarantee: for defects that are planted on purpose. */
public final class FirstViolation {

    private FirstViolation() {}

    /** Runs with the number of schedules and the layouts; without layouts, with all. */
    public static void main(String[] args) {
        HistoryCheck check = new HistoryCheck();
        int schedules = Integer.parseInt(args[0]);
        List<String> layouts = args.length > 1 ? List.of(args).subList(1, args.length) : check.layouts();
        for (String layout : layouts) {
            List<String> found = check.findFirst(layout, 1, schedules);
            if (!found.isEmpty()) {
                String[] lines = found.get(1).split("\n", 2);
                System.out.println("caught | " + layout + " | " + found.get(0) + " | " + lines[0]);
                return;
            }
        }
        System.out.println("NOT CAUGHT | " + String.join(" ", layouts) + " | " + schedules + " |");
    }
}
