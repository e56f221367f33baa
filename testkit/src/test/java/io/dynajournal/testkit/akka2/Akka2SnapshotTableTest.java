package io.dynajournal.testkit.akka2;

import io.dynajournal.internal.layout.SnapshotLayout;
import io.dynajournal.internal.layout.akka2.Akka2Snapshots;
import io.dynajournal.testkit.Capabilities;
import io.dynajournal.testkit.Capability;
import io.dynajournal.testkit.SnapshotTableContract;

/** The contract for snapshots of the layout akka2. */
class Akka2SnapshotTableTest extends SnapshotTableContract {

    @Override
    protected Capabilities capabilities() {
        return Capabilities.ALL
                .without(Capability.MANY_SNAPSHOTS, "the persistence id is the whole key")
                .beyond(Capability.ANY_SIZE, 409_000, "a snapshot is one item, of 400 KB at most");
    }

    @Override
    protected SnapshotLayout layout(String tableName) {
        return Akka2Snapshots.of(tableName);
    }
}
