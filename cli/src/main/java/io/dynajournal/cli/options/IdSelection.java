package io.dynajournal.cli.options;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.dynajournal.cli.terminal.UsageException;
import io.dynajournal.internal.model.Slices;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Which persistence ids a command changes: exactly one way of naming them must be used, so that none changes all by mistake. */
public final class IdSelection {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String PRINTED_BY_IDS = "{\"persistenceId\":";

    @Parameters(
            arity = "0..*",
            paramLabel = "<persistence id>",
            description = "Persistence ids. Write one that begins with - after --.")
    private List<String> ids = new ArrayList<>();

    @Option(
            names = "--ids",
            paramLabel = "<file>",
            description = "A file with one persistence id a line, or with the output of dynajournal ids --json.")
    private @Nullable Path file;

    @Option(
            names = "--entity-type",
            paramLabel = "<name>",
            description = "All entities of this type: what is before the | of their persistence ids.")
    private @Nullable String entityType;

    /** For the plan, and for the identity of a checkpoint. */
    public String described() {
        requireOne();
        if (file != null) {
            return "the persistence ids in " + file;
        }
        return entityType != null
                ? "all entities of type " + entityType
                : ids.size() == 1 ? "persistence id " + ids.get(0) : "the persistence ids " + String.join(", ", ids);
    }

    /** Whether nothing is named, where that means all. */
    public boolean isNone() {
        return ids.isEmpty() && file == null && entityType == null;
    }

    /** What a command that continues this one has too. */
    public Map<String, String> identity() {
        return new TreeMap<>(Map.of("ids", described()));
    }

    /** Whether nothing is named, so that a command that only reads takes all. */
    public boolean isEmpty() {
        return ids.isEmpty() && file == null && entityType == null;
    }

    /** Whether persistence ids are named, and not their entity type. */
    public boolean namesIds() {
        return !ids.isEmpty() || file != null;
    }

    /** Whether an entity type is meant that a persistence id does not have. */
    public boolean excludesType(String persistenceId) {
        return entityType != null && !Slices.entityType(persistenceId).equals(entityType);
    }

    /** Whether exactly one persistence id is named on the command line. */
    public boolean isSingle() {
        return ids.size() == 1 && file == null && entityType == null;
    }

    /** How many persistence ids are named; empty if they have to be found. */
    public OptionalLong count() {
        return namesIds()
                ? OptionalLong.of(file == null ? ids.size() : read(file).size())
                : OptionalLong.empty();
    }

    /**
     * The selected ids.
     *
     * @param all asked only if the ids have to be found
     */
    public Iterator<String> ids(Supplier<? extends Iterator<String>> all) {
        requireOne();
        String type = entityType;
        if (type == null) {
            return (file == null ? ids : read(file)).iterator();
        }
        return StreamSupport.stream(Spliterators.spliteratorUnknownSize(all.get(), Spliterator.NONNULL), false)
                .filter(id -> Slices.entityType(id).equals(type))
                .iterator();
    }

    private void requireOne() {
        int ways = (ids.isEmpty() ? 0 : 1) + (file == null ? 0 : 1) + (entityType == null ? 0 : 1);
        if (ways != 1) {
            throw new UsageException(
                    "name persistence ids, or a file of them with --ids, or --entity-type: one of these");
        }
        if (ids.contains("")) {
            throw new UsageException("one of the persistence ids is empty");
        }
    }

    private static List<String> read(Path file) {
        try {
            return Files.readAllLines(file, StandardCharsets.UTF_8).stream()
                    .filter(line -> !line.isEmpty())
                    .map(IdSelection::id)
                    .toList();
        } catch (IOException e) {
            throw new UsageException("the file " + file + " cannot be read: " + e);
        }
    }

    private static String id(String line) {
        if (!line.startsWith(PRINTED_BY_IDS)) {
            return line;
        }
        try {
            return JSON.readTree(line).path("persistenceId").asText();
        } catch (JsonProcessingException e) {
            throw new UsageException("the file of persistence ids has a line that is no JSON: " + line);
        }
    }
}
