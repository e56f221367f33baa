package com.github.j5ik2o.akka.persistence.dynamodb.snapshot;

import com.typesafe.config.Config;
import io.dynajournal.snapshot.DynajournalSnapshotStore;

/** The name by which configurations of j5ik2o's plugin know their snapshot store. */
public final class DynamoDBSnapshotStore extends DynajournalSnapshotStore {

    /** Called by the toolkit. */
    public DynamoDBSnapshotStore(Config config, String path) {
        super(config, path);
    }
}
