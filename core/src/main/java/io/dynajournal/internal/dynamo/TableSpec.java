package io.dynajournal.internal.dynamo;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The shape of a table: what creates, checks and documents it.
 *
 * @param timeToLive the attribute by which DynamoDB expires items, or null
 * @param localIndexes they can be made with the table only
 */
public record TableSpec(
        String name,
        Key hash,
        @Nullable Key range,
        List<Index> indexes,
        @Nullable String timeToLive,
        List<LocalIndex> localIndexes) {

    /**
     * An attribute of a key.
     *
     * @param type {@code S}, {@code N} or {@code B}
     */
    public record Key(String name, String type) {}

    /**
     * A global secondary index; one without range key, too.
     *
     * @param projected the attributes it holds besides the keys; empty for keys only, {@link #EVERYTHING} for all
     */
    public record Index(String name, Key hash, @Nullable Key range, List<String> projected) {

        public static final List<String> EVERYTHING = List.of("*");

        public Index {
            projected = List.copyOf(projected);
        }

        boolean projectsEverything() {
            return projected.equals(EVERYTHING);
        }
    }

    /** A local secondary index: the table's hash key, another range key, all attributes. */
    public record LocalIndex(String name, Key range) {}

    public TableSpec {
        indexes = List.copyOf(indexes);
        localIndexes = List.copyOf(localIndexes);
    }

    /** A table without local indexes. */
    public TableSpec(String name, Key hash, @Nullable Key range, List<Index> indexes, @Nullable String timeToLive) {
        this(name, hash, range, indexes, timeToLive, List.of());
    }

    /** The same table without its global indexes. */
    public TableSpec withoutIndexes() {
        return new TableSpec(name, hash, range, List.of(), timeToLive, localIndexes);
    }

    /** The names of all indexes, global and local. */
    public List<String> indexNames() {
        return Stream.concat(
                        indexes.stream().map(Index::name), localIndexes.stream().map(LocalIndex::name))
                .toList();
    }

    /** Every key attribute of the table and its indexes, once. */
    public Collection<Key> keys() {
        Map<String, Key> keys = new LinkedHashMap<>();
        Stream<Key> own = range == null ? Stream.of(hash) : Stream.of(hash, range);
        Stream.of(
                        own,
                        indexes.stream()
                                .flatMap(index ->
                                        Stream.concat(Stream.of(index.hash()), Stream.ofNullable(index.range()))),
                        localIndexes.stream().map(LocalIndex::range))
                .flatMap(Function.identity())
                .forEach(key -> keys.putIfAbsent(key.name(), key));
        return keys.values();
    }

    /** The commands of the AWS command line that create this table. */
    public String awsCommands() {
        return awsCommands("");
    }

    /**
     * The commands with further options.
     *
     * @param options for both commands, each after a blank, such as {@code " --region eu-central-1"}
     */
    public String awsCommands(String options) {
        List<String> lines = new ArrayList<>();
        lines.add("aws dynamodb create-table" + options);
        lines.add("--table-name " + name);
        lines.add("--attribute-definitions "
                + keys().stream()
                        .map(key -> "AttributeName=" + key.name() + ",AttributeType=" + key.type())
                        .collect(Collectors.joining(" ")));
        lines.add("--key-schema AttributeName=" + hash.name() + ",KeyType=HASH"
                + (range == null ? "" : " AttributeName=" + range.name() + ",KeyType=RANGE"));
        if (!localIndexes.isEmpty()) {
            lines.add("--local-secondary-indexes '"
                    + localIndexes.stream().map(this::json).collect(Collectors.joining(", ", "[", "]")) + "'");
        }
        if (!indexes.isEmpty()) {
            lines.add("--global-secondary-indexes '"
                    + indexes.stream().map(TableSpec::json).collect(Collectors.joining(", ", "[", "]")) + "'");
        }
        lines.add("--billing-mode PAY_PER_REQUEST");
        String create = String.join(" \\\n    ", lines);
        return timeToLive == null
                ? create
                : create + "\naws dynamodb update-time-to-live" + options + " \\\n    --table-name " + name
                        + " \\\n    --time-to-live-specification Enabled=true,AttributeName=" + timeToLive;
    }

    /** The same commands in one line, for a message. */
    String awsCommandLine(String options) {
        return awsCommands(options).replace(" \\\n   ", "").replace("\n", " && ");
    }

    private static String json(Index index) {
        String projection = index.projectsEverything() || index.projected().isEmpty()
                ? "{\"ProjectionType\": \"" + (index.projectsEverything() ? "ALL" : "KEYS_ONLY") + "\"}"
                : "{\"ProjectionType\": \"INCLUDE\", \"NonKeyAttributes\": ["
                        + index.projected().stream().map(a -> "\"" + a + "\"").collect(Collectors.joining(", ")) + "]}";
        Key range = index.range();
        return "{\"IndexName\": \"" + index.name() + "\", \"KeySchema\": [{\"AttributeName\": \""
                + index.hash().name() + "\", \"KeyType\": \"HASH\"}"
                + (range == null ? "" : ", {\"AttributeName\": \"" + range.name() + "\", \"KeyType\": \"RANGE\"}")
                + "], \"Projection\": " + projection + "}";
    }

    private String json(LocalIndex index) {
        return "{\"IndexName\": \"" + index.name() + "\", \"KeySchema\": [{\"AttributeName\": \"" + hash.name()
                + "\", \"KeyType\": \"HASH\"}, {\"AttributeName\": \""
                + index.range().name()
                + "\", \"KeyType\": \"RANGE\"}], \"Projection\": {\"ProjectionType\": \"ALL\"}}";
    }
}
