package io.dynajournal.internal.plugin;

import io.dynajournal.internal.store.SnapshotIndex;
import io.dynajournal.internal.store.SnapshotTable;
import java.util.Optional;

/**
 * A snapshot store whose table was checked.
 *
 * @param slices empty if the table has no index by slice
 * @param name the table's name
 */
public record OpenedSnapshots(SnapshotTable table, Optional<SnapshotIndex> slices, String name) {}
