package akka.persistence.dynamodb.query;

import akka.actor.ExtendedActorSystem;
import com.typesafe.config.Config;
import io.dynajournal.query.DynajournalReadJournalProvider;

/** The name by which configurations of akka-persistence-dynamodb 1.x and 2.x know their read journal. */
public final class DynamoDBReadJournalProvider extends DynajournalReadJournalProvider {

    /** Called by the toolkit. */
    public DynamoDBReadJournalProvider(ExtendedActorSystem system, Config config, String path) {
        super(system, config, path);
    }
}
