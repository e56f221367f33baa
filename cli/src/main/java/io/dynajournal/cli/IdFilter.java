package io.dynajournal.cli;

import io.dynajournal.cli.store.Stores;
import io.dynajournal.cli.terminal.UsageException;
import io.dynajournal.internal.model.Slices;
import io.dynajournal.internal.store.EventLog;
import io.dynajournal.internal.store.LogEnd;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** Which persistence ids are meant. */
final class IdFilter {

    @Option(names = "--prefix", paramLabel = "<text>", description = "Only persistence ids that begin with this.")
    private String prefix = "";

    @Option(
            names = "--entity-type",
            paramLabel = "<name>",
            description = "Only entities of this type: what is before the | of their persistence ids.")
    private @Nullable String entityType;

    @Option(
            names = "--active-since",
            paramLabel = "<time>",
            converter = Time.class,
            description = "Only entities that have written at this time or later, such as 2026-11-18T10:00:00Z. Costs a"
                    + " read of each log's end.")
    private @Nullable Instant activeSince;

    boolean matches(String persistenceId, EventLog log) {
        return persistenceId.startsWith(prefix)
                && (entityType == null || Slices.entityType(persistenceId).equals(entityType))
                && (activeSince == null || isActive(persistenceId, log, activeSince));
    }

    private static boolean isActive(String persistenceId, EventLog log, Instant since) {
        LogEnd end = Stores.await(log.end(persistenceId));
        if (end.seqNr() > 0 && end.timestampMicros() <= 0) {
            throw new UsageException("--active-since cannot be used: the log of " + persistenceId
                    + " has no time of its last event, as the layouts akka1 and sclasen often have none");
        }
        return end.timestampMicros() / 1000 >= since.toEpochMilli();
    }

    static final class Time implements ITypeConverter<Instant> {
        @Override
        public Instant convert(String value) {
            try {
                return Instant.parse(value);
            } catch (java.time.DateTimeException e) {
                throw new TypeConversionException("requires a time such as 2026-11-18T10:00:00Z, not " + value);
            }
        }
    }
}
