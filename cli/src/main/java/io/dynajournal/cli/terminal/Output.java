package io.dynajournal.cli.terminal;

import java.io.PrintStream;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Prints results, one after another. The values of a result are strings, numbers, booleans, {@link Json}, or collections of
 * strings, in order. Close it to have the last ones printed. Not thread-safe.
 */
public abstract class Output implements AutoCloseable {

    /** A value that is JSON already. */
    public record Json(String text) {
        @Override
        public String toString() {
            return text;
        }
    }

    /** How many lines may go into a closed pipe before it is noticed. */
    private static final int LINES_PER_CHECK = 256;

    private final PrintStream out;
    private int lines;

    Output(PrintStream out) {
        this.out = out;
    }

    /** Each result is a JSON object in one line. */
    static Output json(PrintStream out) {
        return new Lines(out, Output::jsonLine);
    }

    /** Each result is a line of {@code name=value}; empty values are left out. */
    static Output plain(PrintStream out) {
        return new Lines(out, Output::plainLine);
    }

    static Output table(PrintStream out, Terminal terminal) {
        return new TableOutput(out, terminal);
    }

    /** Prints one result, or keeps it for a while. */
    public abstract void line(Map<String, ?> values);

    /**
     * Prints what was kept, for a reader who waits for it.
     *
     * @throws OutputClosed if nobody reads any more
     */
    public void flush() {
        if (out.checkError()) {
            throw new OutputClosed();
        }
    }

    @Override
    public void close() {
        flush();
    }

    /** @throws OutputClosed if nobody reads any more */
    final void println(String line) {
        out.print(line);
        out.print('\n');
        if (++lines % LINES_PER_CHECK == 0 && out.checkError()) {
            throw new OutputClosed();
        }
    }

    /** The reader of standard output has gone, as {@code head} does. */
    public static final class OutputClosed extends RuntimeException {
        private static final long serialVersionUID = 1L;

        OutputClosed() {
            super("standard output was closed");
        }
    }

    /** Names and values in order. */
    public static Map<String, Object> values(Object... namesAndValues) {
        Map<String, Object> values = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            values.put((String) namesAndValues[i], namesAndValues[i + 1]);
        }
        return values;
    }

    static String plainLine(Map<String, ?> values) {
        return values.entrySet().stream()
                .filter(entry -> !entry.getValue().equals(""))
                .map(entry ->
                        entry.getKey() + "=" + Escapes.oneLine(entry.getValue().toString()))
                .collect(Collectors.joining(" "));
    }

    static String jsonLine(Map<String, ?> values) {
        return values.entrySet().stream()
                .map(entry -> Escapes.jsonString(entry.getKey()) + ":" + jsonValue(entry.getValue()))
                .collect(Collectors.joining(",", "{", "}"));
    }

    private static String jsonValue(Object value) {
        if (value instanceof Number || value instanceof Boolean || value instanceof Json) {
            return value.toString();
        }
        if (value instanceof Collection<?> many) {
            return many.stream().map(Output::jsonValue).collect(Collectors.joining(",", "[", "]"));
        }
        return Escapes.jsonString(value.toString());
    }

    private interface Format {
        String apply(Map<String, ?> values);
    }

    private static final class Lines extends Output {
        private final Format format;

        Lines(PrintStream out, Format format) {
            super(out);
            this.format = format;
        }

        @Override
        public void line(Map<String, ?> values) {
            println(format.apply(values));
        }
    }
}
