package io.dynajournal.cli.terminal;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Results as a table. The first rows decide how wide the columns are; the last column is cut at the edge of the terminal. */
final class TableOutput extends Output {

    /** Rows that are kept to find the widths; few enough that nobody waits for the first. */
    private static final int SAMPLE_ROWS = 100;

    private static final int MAX_COLUMN = 60;
    private static final String GAP = "  ";

    private final Terminal terminal;
    private final List<Map<String, String>> kept = new ArrayList<>();
    private final Map<String, Integer> widths = new LinkedHashMap<>();
    private boolean started;

    TableOutput(PrintStream out, Terminal terminal) {
        super(out);
        this.terminal = terminal;
    }

    @Override
    public void line(Map<String, ?> values) {
        Map<String, String> row = new LinkedHashMap<>();
        values.forEach((name, value) -> row.put(name, Escapes.oneLine(value.toString())));
        if (started) {
            println(shown(row));
            return;
        }
        kept.add(row);
        if (kept.size() == SAMPLE_ROWS) {
            start();
        }
    }

    @Override
    public void flush() {
        if (!kept.isEmpty()) {
            start();
        }
        super.flush();
    }

    private void start() {
        started = true;
        for (Map<String, String> row : kept) {
            row.forEach((name, value) ->
                    widths.merge(name, Math.max(name.length(), Math.min(value.length(), MAX_COLUMN)), Math::max));
        }
        Map<String, String> heading = new LinkedHashMap<>();
        widths.keySet().forEach(name -> heading.put(name, name));
        println(Style.HEADING.apply(shown(heading), terminal.colours()));
        kept.forEach(row -> println(shown(row)));
        kept.clear();
    }

    /** Columns that the first rows did not have follow as {@code name=value}. */
    private String shown(Map<String, String> row) {
        StringBuilder line = new StringBuilder();
        widths.forEach((name, width) -> {
            String value = row.getOrDefault(name, "");
            line.append(value)
                    .append(" ".repeat(Math.max(0, width - value.length())))
                    .append(GAP);
        });
        row.forEach((name, value) -> {
            if (!widths.containsKey(name)) {
                line.append(name).append('=').append(value).append(GAP);
            }
        });
        String whole = line.toString().stripTrailing();
        return whole.length() <= terminal.columns() ? whole : whole.substring(0, terminal.columns() - 1) + "…";
    }
}
