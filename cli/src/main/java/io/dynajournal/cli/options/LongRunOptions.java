package io.dynajournal.cli.options;

import io.dynajournal.cli.run.Checkpoint;
import io.dynajournal.cli.run.LongRun;
import io.dynajournal.cli.terminal.Console;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** For commands that may run for hours. */
public final class LongRunOptions {

    @Mixin
    private final CapacityOption capacity = new CapacityOption();

    @Option(
            names = "--checkpoint",
            paramLabel = "<file>",
            description = "Records in this file what is done. The same command with the same file continues there"
                    + " after it was stopped or has failed.")
    private @Nullable Path checkpoint;

    /**
     * Begins the work.
     *
     * @param unit what is counted, such as {@code events}
     * @param identity what must be equal in a command that continues this one: its name and its options
     */
    public LongRun start(Console console, String unit, Map<String, String> identity) {
        return new LongRun(
                console,
                unit,
                capacity.rates(),
                checkpoint == null ? Checkpoint.none() : Checkpoint.open(checkpoint, identity));
    }
}
