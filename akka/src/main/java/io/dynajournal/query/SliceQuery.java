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
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * What a query by slice or tag asks for.
 *
 * @param entityType null for all
 * @param tag null for all
 * @param snapshots up to which number the consumer has had a snapshot of an id in place of its events
 */
record SliceQuery(
        @Nullable String entityType,
        SliceRange slices,
        @Nullable String tag,
        Start start,
        boolean live,
        Map<String, Long> snapshots) {

    /** Without snapshots. */
    SliceQuery(@Nullable String entityType, SliceRange slices, @Nullable String tag, Start start, boolean live) {
        this(entityType, slices, tag, start, live, Map.of());
    }

    SliceQuery behind(Map<String, Long> handedOver) {
        return new SliceQuery(entityType, slices, tag, start, live, handedOver);
    }

    CompletionStage<List<SlicePartition>> partitions(SliceRows index) {
        return entityType == null ? index.partitions(slices) : index.partitions(entityType, slices);
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
                && (entityType == null || entityType.equals(Slices.entityType(persistenceId)));
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
                + (entityType == null ? "" : " of entity type \"" + entityType + "\"")
                + " by " + (tag == null ? "slices " + slices.min() + " to " + slices.max() : "tag \"" + tag + "\"");
    }
}
