package com.github.j5ik2o.akka.persistence.dynamodb.state;

import akka.actor.ExtendedActorSystem;
import com.typesafe.config.Config;
import io.dynajournal.state.DynajournalDurableStateStoreProvider;

/** The name by which configurations of j5ik2o's plugin know their durable state store. */
public final class DynamoDBDurableStateStoreProvider extends DynajournalDurableStateStoreProvider {

    /** Called by the toolkit. */
    public DynamoDBDurableStateStoreProvider(ExtendedActorSystem system, Config config, String path) {
        super(system, config, path);
    }
}
