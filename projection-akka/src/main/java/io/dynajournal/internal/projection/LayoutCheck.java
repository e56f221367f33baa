package io.dynajournal.internal.projection;

import io.dynajournal.exception.SettingsException;
import io.dynajournal.internal.model.SliceRange;
import io.dynajournal.internal.projections.OffsetTable;
import io.dynajournal.internal.projections.StoredOffsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Whether a projection may start with its layout.
 *
 * @param packed whether the layout is {@code packed}
 */
record LayoutCheck(OffsetTable table, String projection, boolean packed) {

    /** With the layout packed, an instance finds the logs of other ranges by the slices in which they can begin. */
    CompletionStage<SliceRange> range(SliceRange range) {
        return !packed || range.isEqualPart()
                ? CompletableFuture.completedFuture(range)
                : CompletableFuture.failedFuture(new SettingsException("Projection " + projection
                        + " has layout = packed and the slices " + range.min() + " to " + range.max()
                        + ". With this layout the slices must be split into 1, 2, 4, 8 or more equal ranges, a power of"
                        + " two up to 1024, as sliceRanges does with such a number. Nothing was read or stored. Use"
                        + " such a range, or layout = timestamp-offset."));
    }

    /** The layout of a projection cannot be changed. */
    CompletionStage<StoredOffsets> stored(StoredOffsets stored) {
        return !stored.hasOtherLayout(packed)
                ? CompletableFuture.completedFuture(stored)
                : CompletableFuture.failedFuture(new SettingsException("Projection " + projection
                        + " has offsets of the layout " + (packed ? "timestamp-offset" : "packed") + " in table "
                        + table.name() + ", but its settings have layout = "
                        + (packed ? "packed" : "timestamp-offset")
                        + ". Change the setting back, or give the projection another name, which starts from the"
                        + " beginning."));
    }
}
