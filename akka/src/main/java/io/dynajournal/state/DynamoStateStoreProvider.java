package io.dynajournal.state;

import akka.actor.ExtendedActorSystem;
import akka.persistence.state.DurableStateStoreProvider;
import com.typesafe.config.Config;
import io.dynajournal.Dynajournal;
import io.dynajournal.toolkit.PayloadSerde;

/**
 * The durable state plugin; settings name it as {@code class}. If it cannot start, because a setting or its table is wrong, it
 * says so once in the log and fails every request with that message.
 */
public final class DynamoStateStoreProvider implements DurableStateStoreProvider {

    private final SerializedStates states;

    public DynamoStateStoreProvider(ExtendedActorSystem system, Config config, String path) {
        this.states = new SerializedStates(Dynajournal.get(system).states(config, path), new PayloadSerde(system));
    }

    @Override
    public akka.persistence.state.scaladsl.DurableStateStore<Object> scaladslDurableStateStore() {
        return new ScalaStateStore<>(states);
    }

    @Override
    public akka.persistence.state.javadsl.DurableStateStore<Object> javadslDurableStateStore() {
        return new JavaStateStore<>(states);
    }
}
