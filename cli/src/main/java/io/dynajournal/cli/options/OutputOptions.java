package io.dynajournal.cli.options;

import io.dynajournal.cli.terminal.Console;
import io.dynajournal.cli.terminal.Output;
import picocli.CommandLine.Option;

/** How results are printed. */
public final class OutputOptions {

    @Option(names = "--json", description = "Print each result as a JSON object on a line of its own.")
    private boolean json;

    public boolean isJson() {
        return json;
    }

    /** Close it when all results are printed. */
    public Output open(Console console) {
        return console.results(json);
    }
}
