package io.dynajournal.testkit;

import io.dynajournal.layout.SnapshotLayout;
import io.dynajournal.layout.akka2.Akka2Snapshots;

/** The snapshot layout of akka-persistence-dynamodb 2.x. */
class Akka2SnapshotTableTest extends SnapshotTableContract {

    @Override
    protected Capabilities capabilities() {
        return Capabilities.ALL
                .without(Capability.MANY_SNAPSHOTS, "the id is the whole key")
                .beyond(Capability.ANY_SIZE, 409_000, "a snapshot is one item, of 400 KB at most");
    }

    @Override
    protected SnapshotLayout layout(String tableName) {
        return Akka2Snapshots.of(tableName);
    }
}
