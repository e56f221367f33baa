package io.dynajournal.query;

import io.dynajournal.model.SliceRange;
import io.dynajournal.model.Slices;
import io.dynajournal.slices.ReaderSettings;
import io.dynajournal.slices.SliceReader;
import io.dynajournal.slices.Start;
import io.dynajournal.store.SliceIndex;
import io.dynajournal.store.SlicePartition;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a query by slice or tag asks for.
 *
 * @param entityTypes empty for all there are
 * @param tag null for all events
 */
record SliceQuery(
        Set<String> entityTypes,
        SliceRange slices,
        @Nullable String tag,
        Start start,
        boolean live) {

    CompletionStage<List<SlicePartition>> partitions(SliceIndex index) {
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
                settings, slices, start, live, row -> tag == null || row.tags().contains(tag));
    }

    boolean mayHold(String persistenceId) {
        return slices.contains(persistenceId)
                && (entityTypes.isEmpty() || entityTypes.contains(Slices.entityType(persistenceId)));
    }

    boolean wants(Found found) {
        return tag == null || found.event().event().tags().contains(tag);
    }

    @Override
    public String toString() {
        return (live ? "live" : "current") + " query"
                + (entityTypes.isEmpty() ? "" : " of entity type \"" + String.join("\", \"", entityTypes) + "\"")
                + " by " + (tag == null ? "slices " + slices.min() + " to " + slices.max() : "tag \"" + tag + "\"");
    }
}
