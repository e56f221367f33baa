package com.github.j5ik2o.akka.persistence.dynamodb.query;

import akka.actor.ExtendedActorSystem;
import com.typesafe.config.Config;
import io.dynajournal.query.DynajournalReadJournalProvider;

/** The name by which configurations of j5ik2o's plugin know their read journal. */
public final class DynamoDBReadJournalProvider extends DynajournalReadJournalProvider {

    /** Called by the toolkit. */
    public DynamoDBReadJournalProvider(ExtendedActorSystem system, Config config, String path) {
        super(system, config, path);
    }
}
