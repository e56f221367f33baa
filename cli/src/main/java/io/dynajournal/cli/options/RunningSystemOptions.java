package io.dynajournal.cli.options;

import io.dynajournal.cli.cost.RunningSystem.Consumed;
import io.dynajournal.cli.terminal.UsageException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Figures of a running system. */
public final class RunningSystemOptions {

    private static final int DEFAULT_SAMPLE = 50;
    private static final int MAX_SAMPLE = 10_000;

    @Option(
            names = "--measure",
            description =
                    "Read the workload from a journal: its table's description, and a sample of its events. The options"
                            + " below name the journal; those of the workload override what was read.")
    private boolean measure;

    @Option(
            names = "--sample",
            paramLabel = "<n>",
            description = "Of how many persistence ids events are read, 50 by default.")
    private @Nullable Integer sample;

    @Option(
            names = "--consumed-writes",
            paramLabel = "<units>",
            description =
                    "Write units per second that the table consumes with its indexes, by CloudWatch or by the metrics"
                            + " of the application. They give the events per second.")
    private @Nullable Double consumedWrites;

    @Option(
            names = "--consumed-reads",
            paramLabel = "<units>",
            description = "Read units per second that the table consumes, to compare.")
    private @Nullable Double consumedReads;

    @Option(
            names = "--consumed",
            paramLabel = "<file>",
            description = "Both in a file, as write-units-per-second and read-units-per-second, in HOCON or JSON.")
    private @Nullable Path file;

    public boolean isWanted() {
        return measure;
    }

    /** Whether one of the other options is given. */
    public boolean isGiven() {
        return sample != null || consumedWrites != null || consumedReads != null || file != null;
    }

    public int sample() {
        if (sample == null) {
            return DEFAULT_SAMPLE;
        }
        if (sample < 1 || sample > MAX_SAMPLE) {
            throw new UsageException("--sample must be from 1 to " + MAX_SAMPLE + ", not " + sample);
        }
        return sample;
    }

    /** Units per second; those of options override those of the file. */
    public Consumed consumed() {
        return Consumed.of(file, consumedWrites, consumedReads);
    }
}
