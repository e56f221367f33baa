package akka.persistence.dynamodb.snapshot;

import com.typesafe.config.Config;
import io.dynajournal.snapshot.DynajournalSnapshotStore;

/** The name by which configurations of akka-persistence-dynamodb 1.x and 2.x know their snapshot store. */
public final class DynamoDBSnapshotStore extends DynajournalSnapshotStore {

    /** Called by the toolkit. */
    public DynamoDBSnapshotStore(Config config, String path) {
        super(config, path);
    }
}
