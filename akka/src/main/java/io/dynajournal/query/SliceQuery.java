package io.dynajournal.query;

import io.dynajournal.model.SliceRange;
import io.dynajournal.model.Slices;
import io.dynajournal.model.StoredState;
import io.dynajournal.slices.ReaderSettings;
import io.dynajournal.slices.SliceReader;
import io.dynajournal.slices.Start;
import io.dynajournal.store.SlicePartition;
import io.dynajournal.store.SliceRows;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a query by slice or tag asks for.
 *
 * @param entityTypes empty for all there are
 * @param tag null for all
 * @param snapshots up to which number the consumer has had a snapshot of an id in place of its events
 */
record SliceQuery(
        Set<String> entityTypes,
        SliceRange slices,
        @Nullable String tag,
        Start start,
        boolean live,
        Map<String, Long> snapshots) {

    /** Without snapshots. */
    SliceQuery(Set<String> entityTypes, SliceRange slices, @Nullable String tag, Start start, boolean live) {
        this(entityTypes, slices, tag, start, live, Map.of());
    }

    SliceQuery behind(Map<String, Long> handedOver) {
        return new SliceQuery(entityTypes, slices, tag, start, live, handedOver);
    }

    CompletionStage<List<SlicePartition>> partitions(SliceRows index) {
        if (entityTypes.isEmpty()) {
            return index.partitions(slices);
        }
        CompletionStage<List<SlicePartition>> all = CompletableFuture.completedFuture(List.of());
        for (String entityType : entityTypes) {
            all = all.thenCombine(
                    index.partitions(entityType, slices),
                    (some, more) -> Stream.concat(some.stream(), more.stream()).toList());
        }
        return all;
    }

    SliceReader reader(ReaderSettings settings) {
        return new SliceReader(
                settings,
                slices,
                start,
                live,
                row -> (tag == null || row.tags().contains(tag)) && isBehind(row.persistenceId(), row.endSeqNr()));
    }

    private boolean isBehind(String persistenceId, long seqNr) {
        return seqNr > snapshots.getOrDefault(persistenceId, 0L);
    }

    boolean mayHold(String persistenceId) {
        return slices.contains(persistenceId)
                && (entityTypes.isEmpty() || entityTypes.contains(Slices.entityType(persistenceId)));
    }

    boolean wants(Found found) {
        return (tag == null || found.event().event().tags().contains(tag))
                && isBehind(found.event().persistenceId(), found.event().seqNr());
    }

    boolean wants(StoredState state) {
        return tag == null || tag.equals(state.tag());
    }

    @Override
    public String toString() {
        return (live ? "live" : "current") + " query"
                + (entityTypes.isEmpty() ? "" : " of entity type \"" + String.join("\", \"", entityTypes) + "\"")
                + " by " + (tag == null ? "slices " + slices.min() + " to " + slices.max() : "tag \"" + tag + "\"");
    }
}
