package io.dynajournal;

import io.dynajournal.store.SnapshotIndex;
import io.dynajournal.store.SnapshotTable;
import java.util.Optional;

/**
 * A snapshot table that is there.
 *
 * @param slices empty if the table has no index by slice
 * @param name the table's name
 */
public record OpenedSnapshots(SnapshotTable table, Optional<SnapshotIndex> slices, String name) {}
