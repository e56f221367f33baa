package io.dynajournal.cli.options;

import io.dynajournal.cli.terminal.Console;
import io.dynajournal.cli.terminal.UsageException;
import picocli.CommandLine.Option;

/** For commands that change data: nothing is changed before the command has said what it will do. */
public final class ChangeOptions {

    /** What the user wants after a command has said what it will do. */
    public enum Decision {
        CHANGE,
        /** Only show what would be changed: {@code --dry-run}. */
        SHOW_ONLY,
        NOT_CONFIRMED
    }

    @Option(names = "--dry-run", description = "Only say what would be done.")
    private boolean dryRun;

    @Option(names = "--yes", description = "Do it without asking.")
    private boolean yes;

    /**
     * For a change that is known late.
     *
     * @throws UsageException if there will be nobody to confirm it
     */
    public void requireAnswer(Console console) {
        if (!dryRun && !yes && !console.terminal().in()) {
            throw new UsageException(
                    "this changes data, and there is no terminal to confirm it; add --yes, or --dry-run");
        }
    }

    public boolean isDryRun() {
        return dryRun;
    }

    /**
     * Says what will be done, and asks unless an option has the answer.
     *
     * @param plan what will be done, in full sentences
     */
    public Decision decide(Console console, String plan) {
        console.say(plan);
        if (dryRun) {
            console.say("Dry run: nothing is changed.");
            return Decision.SHOW_ONLY;
        }
        if (yes || console.confirms()) {
            return Decision.CHANGE;
        }
        console.say("Nothing was changed.");
        return Decision.NOT_CONFIRMED;
    }
}
