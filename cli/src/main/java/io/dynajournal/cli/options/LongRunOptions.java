package io.dynajournal.cli.options;

import io.dynajournal.cli.run.CapacityLimit;
import io.dynajournal.cli.run.Checkpoint;
import io.dynajournal.cli.run.LongRun;
import io.dynajournal.cli.terminal.Console;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** For commands that may run for hours. */
public final class LongRunOptions {

    @Option(
            names = "--max-capacity",
            paramLabel = "<units>",
            converter = Limit.class,
            description = "The capacity units per second that the command may use: 200 for as many read units and as"
                    + " many write units, or read=500,write=100. By default there is no limit.")
    private CapacityLimit.Rates maxCapacity = CapacityLimit.Rates.NONE;

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
                maxCapacity,
                checkpoint == null ? Checkpoint.none() : Checkpoint.open(checkpoint, identity));
    }

    static final class Limit implements ITypeConverter<CapacityLimit.Rates> {
        private static final String EXPECTED = "requires units per second, such as 200 or read=500,write=100, not ";

        @Override
        public CapacityLimit.Rates convert(String value) {
            double read = Double.POSITIVE_INFINITY;
            double write = Double.POSITIVE_INFINITY;
            for (String part : value.split(",", -1)) {
                int equals = part.indexOf('=');
                String which = equals < 0 ? "" : part.substring(0, equals).trim();
                double units = units(value, part.substring(equals + 1).trim());
                switch (which) {
                    case "read" -> read = units;
                    case "write" -> write = units;
                    case "" -> {
                        read = units;
                        write = units;
                    }
                    default -> throw new TypeConversionException(EXPECTED + value);
                }
            }
            return new CapacityLimit.Rates(read, write);
        }

        private static double units(String value, String part) {
            try {
                double units = Double.parseDouble(part);
                if (units > 0 && !Double.isInfinite(units)) {
                    return units;
                }
            } catch (NumberFormatException e) {
                throw new TypeConversionException(EXPECTED + value);
            }
            throw new TypeConversionException(EXPECTED + value);
        }
    }
}
