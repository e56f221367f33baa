package io.dynajournal.testkit.j5ik2o;

import io.dynajournal.testkit.Capabilities;
import io.dynajournal.testkit.Capability;
import io.dynajournal.testkit.SnapshotTableContract;

/** The contract for snapshots of the layout j5ik2o. */
abstract class J5SnapshotTableContract extends SnapshotTableContract {

    @Override
    protected Capabilities capabilities() {
        return Capabilities.ALL.beyond(Capability.ANY_SIZE, 409_000, "a snapshot is one item, of 400 KB at most");
    }
}
