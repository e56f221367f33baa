package io.dynajournal.cli.terminal;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.util.Locale;

/** Where a command reads its confirmation and prints to. */
public final class Console {

    private final PrintStream out;
    private final PrintStream err;
    private final BufferedReader in;
    private final Terminal terminal;

    public Console(PrintStream out, PrintStream err, BufferedReader in, Terminal terminal) {
        this.out = out;
        this.err = err;
        this.in = in;
        this.terminal = terminal;
    }

    public PrintStream out() {
        return out;
    }

    public PrintStream err() {
        return err;
    }

    public Terminal terminal() {
        return terminal;
    }

    /** Results of a command: one JSON object a line, or for people. */
    public Output results(boolean json) {
        return json ? Output.json(out) : terminal.out() ? Output.table(out, terminal) : Output.plain(out);
    }

    /** Prints a line that is no result. */
    public void say(String line) {
        err.println(line);
        err.flush();
    }

    /**
     * Asks whether to continue.
     *
     * @throws UsageException if there is nobody to ask
     */
    public boolean confirms() {
        if (!terminal.in()) {
            throw new UsageException(
                    "this changes data, and there is no terminal to confirm it; add --yes, or --dry-run");
        }
        err.print("Continue? [y/N] ");
        err.flush();
        try {
            String answer = in.readLine();
            return answer != null
                    && (answer.trim().toLowerCase(Locale.ROOT).equals("y")
                            || answer.trim().toLowerCase(Locale.ROOT).equals("yes"));
        } catch (IOException e) {
            return false;
        }
    }
}
