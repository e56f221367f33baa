package io.dynajournal.cli.options;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a sequence number. */
public final class SeqNr implements ITypeConverter<Long> {

    @Override
    public Long convert(String value) {
        try {
            long number = Long.parseLong(value);
            if (number >= 0) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw new TypeConversionException("requires a sequence number, not " + value);
        }
        throw new TypeConversionException("requires a sequence number of 0 or more, not " + value);
    }
}
