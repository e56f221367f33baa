package io.dynajournal.testkit;

import io.dynajournal.layout.SnapshotLayout;
import io.dynajournal.layout.akka1.Akka1Snapshots;

/** The snapshot layout of 1.x. */
class Akka1SnapshotTableTest extends SnapshotTableContract {

    @Override
    protected Capabilities capabilities() {
        return Capabilities.ALL
                .without(Capability.METADATA, "snapshots have no attribute for metadata")
                .beyond(
                        Capability.ANY_SIZE,
                        204_500,
                        "a snapshot is one item, and its copy in the index ts-idx counts to its 400 KB");
    }

    @Override
    protected SnapshotLayout layout(String tableName) {
        return Akka1Snapshots.of(tableName);
    }
}
