package io.dynajournal.internal.settings;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigUtil;
import io.dynajournal.exception.SettingsException;
import io.dynajournal.internal.dynamo.TableSpec;
import io.dynajournal.internal.projections.ProjectionOffsets;
import io.dynajournal.internal.projections.SequenceReset;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The settings of projections: a block like {@code dynajournal.projection}.
 *
 * @param flushInterval how often the offsets of slices are stored
 * @param trackedEntities number of entities whose stored sequence number is kept in memory
 * @param timeToLive of the sequence numbers of entities; null: they are kept
 * @param packedWindow how long the sequence number of an entity is kept with the layout packed; null with a row per entity
 * @param reset when sequence numbers that start again are accepted
 * @param startsNow whether a projection without an offset begins with new events
 * @param auditInterval how often a sample of entities is compared with the journal; null: never
 * @param auditSample number of entities in a sample
 * @param stuckAfter how long there may be no progress before a listener is notified that the projection is stuck
 */
public record ProjectionConfig(
        ClientConfig client,
        TableSpec table,
        TablePolicy tables,
        Duration flushInterval,
        int trackedEntities,
        @Nullable Duration timeToLive,
        @Nullable Duration packedWindow,
        SequenceReset reset,
        boolean startsNow,
        @Nullable Duration auditInterval,
        int auditSample,
        Duration stuckAfter) {

    private static final String TEMPLATE = "dynajournal.projection";
    private static final String PROJECTIONS = "projections";
    private static final Set<String> LAYOUTS = Set.of("timestamp-offset", "packed");
    private static final int LEAST_TRACKED = 1000;
    private static final Duration LEAST_TTL = Duration.ofDays(1);

    /** How offsets are stored. */
    private enum Layout {
        TIMESTAMP_OFFSET,
        PACKED
    }

    /** Where a projection starts that has no offset. */
    private enum Start {
        BEGINNING,
        NOW
    }

    /** What may differ between projections. */
    private record PerName(@Nullable Duration timeToLive, boolean startsNow) {}

    /** Whether a block has the settings of projections. */
    public static boolean isBlock(Config root, String path) {
        String key = path + ".layout";
        return root.hasPath(key) && LAYOUTS.contains(root.getString(key));
    }

    /**
     * Reads a block, for what all projections share.
     *
     * @param root all settings of the actor system
     * @throws SettingsException if a setting is wrong
     */
    public static ProjectionConfig of(Config root, String path) {
        return of(root, path, "");
    }

    /**
     * Reads a block, for one projection.
     *
     * @param root all settings of the actor system
     * @throws SettingsException if a setting is wrong
     */
    public static ProjectionConfig of(Config root, String path, String projectionName) {
        if (!root.hasPath(path)) {
            throw new SettingsException("There is no block " + path + " for projections. Create one with " + path
                    + " = ${" + TEMPLATE + "}.");
        }
        Config all = root.getConfig(path);
        Block block = Block.ofNative(all.withoutPath(PROJECTIONS), path, TEMPLATE);
        Layout layout = block.choice("layout", List.of(Layout.values()));
        Duration window = block.duration("packed-window");
        PerName defaults = perName(block);
        PerName own = find(projections(all, path), projectionName, defaults);
        ProjectionConfig config = new ProjectionConfig(
                ClientConfig.of(root, block.blockPath("use-client")),
                ProjectionOffsets.table(block.tableName("table")),
                TablePolicy.of(block),
                block.duration("flush-interval"),
                trackedEntities(block),
                own.timeToLive(),
                layout == Layout.PACKED ? window : null,
                new SequenceReset(block.optionalDuration("accept-sequence-number-reset-after")),
                own.startsNow(),
                block.optionalDuration("audit-interval"),
                block.count("audit-sample"),
                block.duration("stuck-after"));
        UnknownKeys.reject(block, ConfigFactory.empty());
        return config;
    }

    /** Whether rows of any projection of a block expire. */
    public static boolean anyExpires(Config root, String path) {
        Config all = root.getConfig(path);
        PerName defaults = perName(Block.ofNative(all.withoutPath(PROJECTIONS), path, TEMPLATE));
        return defaults.timeToLive() != null
                || projections(all, path).values().stream().anyMatch(own -> own.timeToLive() != null);
    }

    /** By the whole name, or by its longest beginning with {@code *}. */
    private static PerName find(Map<String, PerName> projections, String name, PerName defaults) {
        PerName exact = projections.get(name);
        if (exact != null) {
            return exact;
        }
        return projections.keySet().stream()
                .filter(key -> key.endsWith("*") && name.startsWith(key.substring(0, key.length() - 1)))
                .max((one, other) -> Integer.compare(one.length(), other.length()))
                .map(projections::get)
                .orElse(defaults);
    }

    private static Map<String, PerName> projections(Config all, String path) {
        Map<String, PerName> projections = new HashMap<>();
        if (all.hasPath(PROJECTIONS)) {
            Config byName = all.getConfig(PROJECTIONS);
            for (String name : byName.root().keySet()) {
                String key = ConfigUtil.joinPath(name);
                Config own = byName.getConfig(key)
                        .withFallback(all.withOnlyPath("offset-time-to-live"))
                        .withFallback(all.withOnlyPath("start"));
                Block block = Block.ofNative(own, path + "." + PROJECTIONS + "." + key, TEMPLATE);
                projections.put(name, perName(block));
                UnknownKeys.reject(block, ConfigFactory.empty());
            }
        }
        return projections;
    }

    /** A batch of events must fit, because its entities are read before their order is decided. */
    private static int trackedEntities(Block block) {
        int count = block.count("tracked-entities");
        if (count < LEAST_TRACKED) {
            throw block.wrong("tracked-entities", "a whole number of " + LEAST_TRACKED + " or more");
        }
        return count;
    }

    private static PerName perName(Block block) {
        Optional<Duration> timeToLive = Optional.ofNullable(block.optionalDuration("offset-time-to-live"));
        if (timeToLive.filter(ttl -> ttl.compareTo(LEAST_TTL) < 0).isPresent()) {
            throw block.wrong("offset-time-to-live", "off, or a time of at least 1 day");
        }
        return new PerName(timeToLive.orElse(null), block.choice("start", List.of(Start.values())) == Start.NOW);
    }
}
