package io.dynajournal.internal.layout.commits;

import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.dynamo.Item;
import io.dynajournal.internal.model.SliceRange;
import io.dynajournal.internal.model.Slices;
import io.dynajournal.internal.store.SlicePartition;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * What readers of the slice index must know before they read it: the entity types, and into how many partitions writers
 * divide them. It is one item of the table, maintained by the writers. An entity type is added before the first commit of
 * its first persistence id, so readers find every event.
 *
 * <p>A writer trusts what it has read for {@link #TRUSTED}; then its next write reads the item again, and restores it if the
 * table was deleted and created again meanwhile. While a process writes, this costs at most one read unit per entity type and
 * two minutes; each new entity type and each new partition count costs one write unit. Thread-safe.
 */
final class CommitsRegistry {

    /**
     * How long a partition count is registered before writers use it: more than twice the interval in which readers read the
     * registry.
     */
    static final Duration SETTLING_TIME = Duration.ofMinutes(2);

    /** How long writers rely on what they have read. */
    static final Duration TRUSTED = Duration.ofMinutes(2);

    /** @param counts partition counts, and when each was registered, in microseconds since 1970 */
    record State(Set<String> types, Map<Integer, Long> counts) {

        static final State EMPTY = new State(Set.of(), Map.of());

        State and(State other) {
            Set<String> allTypes = new HashSet<>(types);
            allTypes.addAll(other.types);
            Map<Integer, Long> allCounts = new HashMap<>(counts);
            other.counts.forEach((count, since) -> allCounts.merge(count, since, Math::min));
            return new State(Set.copyOf(allTypes), Map.copyOf(allCounts));
        }

        /** The partition count that a writer must use now: the configured one once readers know it, or an older one. */
        int partitions(int configured, long nowMicros) {
            long settledSince = nowMicros - SETTLING_TIME.toNanos() / 1000;
            boolean isSettled = counts.size() == 1 || counts.getOrDefault(configured, Long.MAX_VALUE) <= settledSince;
            return isSettled
                    ? configured
                    : counts.entrySet().stream()
                            .filter(count -> count.getValue() <= settledSince)
                            .mapToInt(Map.Entry::getKey)
                            .max()
                            .orElse(configured);
        }
    }

    /** What was known at a time. */
    private record Known(State state, long readAtMicros) {

        boolean isTrusted(long nowMicros) {
            return Math.abs(nowMicros - readAtMicros) < TRUSTED.toNanos() / 1000;
        }
    }

    private final Dynamo dynamo;
    private final String table;
    private final int configured;
    private volatile Known known = new Known(State.EMPTY, 0);
    private final ConcurrentHashMap<String, CompletableFuture<State>> inFlight = new ConcurrentHashMap<>();

    /** @param configured into how many partitions this process is to divide an entity type */
    CommitsRegistry(Dynamo dynamo, String table, int configured) {
        this.dynamo = dynamo;
        this.table = table;
        this.configured = configured;
    }

    /** What is stored now. */
    CompletionStage<State> read() {
        return dynamo.getAll(table, List.of(RegistryItem.KEY.attributes())).thenApply(items -> {
            State stored = items.isEmpty() ? State.EMPTY : RegistryItem.state(ItemKey.named(table, items.get(0)));
            replace(stored);
            return stored;
        });
    }

    /** The partitions that may hold writes of some slices of an entity type, by any writer. */
    CompletionStage<List<SlicePartition>> partitions(String entityType, SliceRange slices) {
        return read().thenApply(state -> partitions(state, Set.of(entityType), slices));
    }

    /** The same for all entity types. */
    CompletionStage<List<SlicePartition>> partitions(SliceRange slices) {
        return read().thenApply(state -> partitions(state, state.types(), slices));
    }

    private List<SlicePartition> partitions(State state, Set<String> entityTypes, SliceRange slices) {
        Set<Integer> counts = new TreeSet<>(state.counts().keySet());
        counts.add(configured);
        Set<SlicePartition> partitions = new LinkedHashSet<>();
        for (int count : counts) {
            for (String entityType : entityTypes) {
                partitions.addAll(CommitItems.slicePartitions(entityType, count, slices));
            }
        }
        return List.copyOf(partitions);
    }

    /** The partition count for the next write of an entity type, which is registered if it has to be. */
    CompletionStage<Integer> partitionsForWrite(String entityType) {
        Known now = known;
        CompletionStage<State> ready = now.isTrusted(dynamo.nowMicros()) && isComplete(now.state(), entityType)
                ? CompletableFuture.completedFuture(now.state())
                : register(entityType);
        return ready.thenApply(state -> state.partitions(configured, dynamo.nowMicros()));
    }

    private boolean isComplete(State state, String entityType) {
        return state.counts().containsKey(configured) && state.types().contains(entityType);
    }

    /** Many entities start concurrently when a process starts; those of one type share one request. */
    private CompletionStage<State> register(String entityType) {
        CompletableFuture<State> ours = new CompletableFuture<>();
        @Nullable CompletableFuture<State> others = inFlight.putIfAbsent(entityType, ours);
        if (others != null) {
            return others;
        }
        read().thenCompose(stored -> isComplete(stored, entityType)
                        ? CompletableFuture.completedFuture(stored)
                        : add(entityType, stored))
                .whenComplete((state, failure) -> {
                    inFlight.remove(entityType, ours);
                    if (failure == null) {
                        ours.complete(state);
                    } else {
                        ours.completeExceptionally(failure);
                    }
                });
        return ours;
    }

    private CompletionStage<State> add(String entityType, State stored) {
        // The first partition count needs no time to settle: no reader has read without it.
        long since = stored.counts().getOrDefault(configured, stored.counts().isEmpty() ? 0 : dynamo.nowMicros());
        State added = new State(Set.of(entityType), Map.of(configured, since));
        return dynamo.updateIf(UpdateItemRequest.builder()
                        .tableName(table)
                        .key(RegistryItem.KEY.attributes())
                        .updateExpression("ADD ks :ks, #types :types")
                        .expressionAttributeNames(Map.of("#types", RegistryItem.TYPES))
                        .expressionAttributeValues(RegistryItem.values(added).attributes()))
                .thenApply(done -> keep(added));
    }

    private synchronized void replace(State stored) {
        known = new Known(stored, dynamo.nowMicros());
    }

    private synchronized State keep(State added) {
        known = new Known(known.state().and(added), known.readAtMicros());
        return known.state();
    }

    /** The attributes of the item. */
    private static final class RegistryItem {
        private static final ItemKey KEY = new ItemKey(ReservedIds.PREFIX + "registry", 1);
        private static final String TYPES = "types";
        private static final String COUNTS = "ks";

        /** At most 4 and 18 digits, which fit an int and a long. */
        private static final Pattern COUNT = Pattern.compile("(\\d{1,4})@(\\d{1,18})");

        private RegistryItem() {}

        /** A type is stored with the separator that follows it in an id, because a set cannot hold an empty string. */
        static Item values(State state) {
            Set<String> types = new HashSet<>();
            state.types().forEach(type -> types.add(type + "|"));
            Set<String> counts = new HashSet<>();
            state.counts().forEach((count, since) -> counts.add(count + "@" + since));
            return Item.create().texts(":ks", counts).texts(":types", types);
        }

        static State state(Item item) {
            Set<String> types = new HashSet<>();
            for (String type : item.texts(TYPES)) {
                if (!type.endsWith("|")) {
                    throw item.corrupt(TYPES, "holds \"" + type + "\" (expected <entity type>|)", null);
                }
                types.add(type.substring(0, type.length() - 1));
            }
            Map<Integer, Long> counts = new HashMap<>();
            for (String count : item.texts(COUNTS)) {
                Matcher parts = COUNT.matcher(count);
                int partitions = parts.matches() ? Integer.parseInt(parts.group(1)) : 0;
                if (partitions > Slices.COUNT || Integer.bitCount(partitions) != 1) {
                    throw item.corrupt(
                            COUNTS,
                            "holds \"" + count + "\" (expected <a power of two up to " + Slices.COUNT
                                    + ">@<microseconds>)",
                            null);
                }
                counts.merge(partitions, Long.parseLong(parts.group(2)), Math::min);
            }
            return new State(Set.copyOf(types), Map.copyOf(counts));
        }
    }
}
