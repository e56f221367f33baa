package io.dynajournal.testkit;

/** The contract on j5ik2o's tables. */
abstract class J5SnapshotTableContract extends SnapshotTableContract {

    @Override
    protected Capabilities capabilities() {
        return Capabilities.ALL.beyond(Capability.ANY_SIZE, 409_000, "a snapshot is one item, of 400 KB at most");
    }
}
