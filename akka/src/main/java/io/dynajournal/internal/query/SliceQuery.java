package io.dynajournal.internal.query;

import io.dynajournal.internal.model.SliceRange;
import io.dynajournal.internal.model.Slices;
import io.dynajournal.internal.model.StoredState;
import io.dynajournal.internal.slices.ReaderSettings;
import io.dynajournal.internal.slices.ResumePoint;
import io.dynajournal.internal.slices.SliceReader;
import io.dynajournal.internal.store.SlicePartition;
import io.dynajournal.internal.store.SliceRows;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A query by slices or by tag.
 *
 * @param entityTypes empty for all
 * @param tag null for all
 * @param snapshots by id: the sequence number of the snapshot that was delivered in place of the events up to it
 */
record SliceQuery(
        Set<String> entityTypes,
        SliceRange slices,
        @Nullable String tag,
        ResumePoint start,
        boolean live,
        Map<String, Long> snapshots) {

    /** A query that does not start from snapshots. */
    SliceQuery(Set<String> entityTypes, SliceRange slices, @Nullable String tag, ResumePoint start, boolean live) {
        this(entityTypes, slices, tag, start, live, Map.of());
    }

    SliceQuery after(Map<String, Long> deliveredSnapshots) {
        return new SliceQuery(entityTypes, slices, tag, start, live, deliveredSnapshots);
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
                row -> (tag == null || row.tags().contains(tag))
                        && isAfterSnapshot(row.persistenceId(), row.endSeqNr()));
    }

    private boolean isAfterSnapshot(String persistenceId, long seqNr) {
        return seqNr > snapshots.getOrDefault(persistenceId, 0L);
    }

    boolean mayHold(String persistenceId) {
        return slices.contains(persistenceId)
                && (entityTypes.isEmpty() || entityTypes.contains(Slices.entityType(persistenceId)));
    }

    boolean includes(ReadEvent read) {
        return (tag == null || read.event().event().tags().contains(tag))
                && isAfterSnapshot(read.event().persistenceId(), read.event().seqNr());
    }

    boolean includes(StoredState state) {
        return tag == null || tag.equals(state.tag());
    }

    @Override
    public String toString() {
        return (live ? "live" : "current") + " query"
                + (entityTypes.isEmpty() ? "" : " of entity type \"" + String.join("\", \"", entityTypes) + "\"")
                + " by " + (tag == null ? "slices " + slices.min() + " to " + slices.max() : "tag \"" + tag + "\"");
    }
}
