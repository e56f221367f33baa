package io.dynajournal.layout.commits;

import io.dynajournal.dynamo.Dynamo;
import io.dynajournal.dynamo.Item;
import io.dynajournal.model.SliceRange;
import io.dynajournal.model.Slices;
import io.dynajournal.store.SlicePartition;
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
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * What readers of the slice index must know before they read it: the entity types, and into how many partitions writers
 * have split them. One item of the table, kept by the writers. An entity type is written there before the first commit of
 * its first id, so no event is ever of a type that cannot be found.
 *
 * <p>Costs one read unit per process, before its first write, and one write unit for each entity type and each number of
 * partitions, once for the table. Thread-safe.
 */
final class CommitsRegistry {

    /**
     * How long a number of partitions is known before writers use it: longer than twice the time after which readers look
     * for it.
     */
    static final Duration SETTLES = Duration.ofMinutes(2);

    /** @param counts numbers of partitions, and since when each is known */
    record State(Set<String> types, Map<Integer, Long> counts) {

        static final State EMPTY = new State(Set.of(), Map.of());

        State and(State other) {
            Set<String> allTypes = new HashSet<>(types);
            allTypes.addAll(other.types);
            Map<Integer, Long> allCounts = new HashMap<>(counts);
            other.counts.forEach((count, since) -> allCounts.merge(count, since, Math::min));
            return new State(Set.copyOf(allTypes), Map.copyOf(allCounts));
        }

        /** How a writer splits that wants to split so. */
        int partitions(int wish, long nowMicros) {
            long known = nowMicros - SETTLES.toNanos() / 1000;
            boolean settled = counts.size() == 1 || counts.getOrDefault(wish, Long.MAX_VALUE) <= known;
            return settled
                    ? wish
                    : counts.entrySet().stream()
                            .filter(count -> count.getValue() <= known)
                            .mapToInt(Map.Entry::getKey)
                            .max()
                            .orElse(wish);
        }
    }

    private final Dynamo dynamo;
    private final String table;
    private final int wish;
    private volatile State state = State.EMPTY;
    private final ConcurrentHashMap<String, CompletableFuture<State>> registering = new ConcurrentHashMap<>();

    /** @param wish into how many partitions this process wants to split */
    CommitsRegistry(Dynamo dynamo, String table, int wish) {
        this.dynamo = dynamo;
        this.table = table;
        this.wish = wish;
    }

    /** What the item says now. */
    CompletionStage<State> read() {
        return dynamo.getAll(table, List.of(RegistryItem.key()))
                .thenApply(items -> keep(items.isEmpty() ? State.EMPTY : RegistryItem.state(items.get(0))));
    }

    /** Where the writes of some slices of an entity type may be, whoever made them. */
    CompletionStage<List<SlicePartition>> partitions(String entityType, SliceRange slices) {
        return read().thenApply(known -> partitions(known, Set.of(entityType), slices));
    }

    /** The same for all entity types. */
    CompletionStage<List<SlicePartition>> partitions(SliceRange slices) {
        return read().thenApply(known -> partitions(known, known.types(), slices));
    }

    private List<SlicePartition> partitions(State known, Set<String> entityTypes, SliceRange slices) {
        Set<Integer> counts = new TreeSet<>(known.counts().keySet());
        counts.add(wish);
        Set<SlicePartition> partitions = new LinkedHashSet<>();
        for (int count : counts) {
            int first = slices.min() * count / Slices.COUNT;
            int last = slices.max() * count / Slices.COUNT;
            for (int partition = first; partition <= last; partition++) {
                for (String entityType : entityTypes) {
                    partitions.add(CommitItems.slicePartition(entityType, count, partition));
                }
            }
        }
        return List.copyOf(partitions);
    }

    private synchronized State keep(State seen) {
        state = state.and(seen);
        return state;
    }

    /**
     * Into how many partitions the next write of an entity type is split.
     *
     * @param newId whether it is the first write of its id
     */
    CompletionStage<Integer> partitions(String entityType, boolean newId) {
        State known = state;
        CompletionStage<State> ready = isReady(known, entityType, newId)
                ? CompletableFuture.completedFuture(known)
                : registered(entityType, newId);
        return ready.thenApply(now -> now.partitions(wish, dynamo.nowMicros()));
    }

    private boolean isReady(State known, String entityType, boolean newId) {
        return known.counts().containsKey(wish) && (!newId || known.types().contains(entityType));
    }

    /** Many entities begin at the same time when a process starts; they wait for one request. */
    private CompletionStage<State> registered(String entityType, boolean newId) {
        String task = newId ? entityType + "|" : "";
        CompletableFuture<State> ours = new CompletableFuture<>();
        @Nullable CompletableFuture<State> others = registering.putIfAbsent(task, ours);
        if (others != null) {
            return others;
        }
        read().thenCompose(seen -> isReady(seen, entityType, newId)
                        ? CompletableFuture.completedFuture(seen)
                        : add(entityType, newId, seen))
                .whenComplete((now, failure) -> {
                    registering.remove(task, ours);
                    if (failure == null) {
                        ours.complete(now);
                    } else {
                        ours.completeExceptionally(failure);
                    }
                });
        return ours;
    }

    private CompletionStage<State> add(String entityType, boolean newId, State seen) {
        int count = wish;
        // The first number of partitions needs no time to become known: nobody has read without it.
        long since = seen.counts().getOrDefault(count, seen.counts().isEmpty() ? 0 : dynamo.nowMicros());
        State more = new State(newId ? Set.of(entityType) : Set.of(), Map.of(count, since));
        Item values = RegistryItem.values(more);
        String expression = newId ? "ADD ks :ks, #types :types" : "ADD ks :ks";
        UpdateItemRequest.Builder update = UpdateItemRequest.builder()
                .tableName(table)
                .key(RegistryItem.key())
                .updateExpression(expression)
                .expressionAttributeValues(values.attributes());
        if (newId) {
            update.expressionAttributeNames(Map.of("#types", RegistryItem.TYPES));
        }
        return dynamo.updateIf(update).thenApply(added -> keep(more));
    }

    /** The item itself. */
    private static final class RegistryItem {
        private static final String PID = ReservedIds.PREFIX + "registry";
        private static final String TYPES = "types";
        private static final String COUNTS = "ks";

        private RegistryItem() {}

        static Map<String, AttributeValue> key() {
            return Map.of(CommitItems.PID, AttributeValue.fromS(PID), CommitItems.SEQ, AttributeValue.fromN("1"));
        }

        /** A type is kept with the separator that follows it, because a set cannot hold an empty text. */
        static Item values(State state) {
            Set<String> types = new HashSet<>();
            state.types().forEach(type -> types.add(type + "|"));
            Set<String> counts = new HashSet<>();
            state.counts().forEach((count, since) -> counts.add(count + "@" + since));
            Item values = Item.create().texts(":ks", counts);
            return types.isEmpty() ? values : values.texts(":types", types);
        }

        static State state(Item item) {
            Set<String> types = new HashSet<>();
            item.texts(TYPES).forEach(type -> types.add(type.substring(0, type.length() - 1)));
            Map<Integer, Long> counts = new HashMap<>();
            for (String count : item.texts(COUNTS)) {
                String[] parts = count.split("@", 2);
                try {
                    counts.merge(Integer.parseInt(parts[0]), Long.parseLong(parts[parts.length - 1]), Math::min);
                } catch (NumberFormatException e) {
                    throw item.corrupt(COUNTS, "holds \"" + count + "\", which is no number of partitions", e);
                }
            }
            return new State(Set.copyOf(types), Map.copyOf(counts));
        }
    }
}
