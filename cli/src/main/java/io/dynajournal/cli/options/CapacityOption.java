package io.dynajournal.cli.options;

import io.dynajournal.cli.run.CapacityLimit;
import io.dynajournal.cli.run.Checkpoint;
import io.dynajournal.cli.run.LongRun;
import io.dynajournal.cli.terminal.Console;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** For commands that may consume much capacity. */
public final class CapacityOption {

    @Option(
            names = "--max-capacity",
            paramLabel = "<units>",
            converter = Limit.class,
            description = "The capacity units per second that the command may use: 200 for as many read units and as"
                    + " many write units, or read=500,write=100. By default there is no limit.")
    private CapacityLimit.Rates maxCapacity = CapacityLimit.Rates.NONE;

    /**
     * Begins work that cannot be continued.
     *
     * @param unit what is counted, such as {@code events}
     */
    public LongRun start(Console console, String unit) {
        return new LongRun(console, unit, maxCapacity, Checkpoint.none());
    }

    CapacityLimit.Rates rates() {
        return maxCapacity;
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
