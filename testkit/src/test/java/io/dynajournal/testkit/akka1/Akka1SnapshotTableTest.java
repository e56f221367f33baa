package io.dynajournal.testkit.akka1;

import io.dynajournal.internal.layout.SnapshotLayout;
import io.dynajournal.internal.layout.akka1.Akka1Snapshots;
import io.dynajournal.testkit.Capabilities;
import io.dynajournal.testkit.Capability;
import io.dynajournal.testkit.SnapshotTableContract;

/** The contract for snapshots of the layout akka1. */
class Akka1SnapshotTableTest extends SnapshotTableContract {

    @Override
    protected Capabilities capabilities() {
        return Capabilities.ALL
                .without(Capability.METADATA, "snapshots have no attribute for metadata")
                .beyond(
                        Capability.ANY_SIZE,
                        204_500,
                        "a snapshot is one item, and its copy in the index ts-idx counts towards the 400 KB");
    }

    @Override
    protected SnapshotLayout layout(String tableName) {
        return Akka1Snapshots.of(tableName);
    }
}
