package io.dynajournal.state;

import akka.actor.ExtendedActorSystem;
import akka.persistence.Persistence;
import akka.persistence.state.DurableStateStoreProvider;
import com.typesafe.config.Config;
import io.dynajournal.Dynajournal;
import io.dynajournal.Gate;
import io.dynajournal.OpenedStates;
import io.dynajournal.query.StateQueries;
import io.dynajournal.toolkit.PayloadSerde;

/**
 * The durable state plugin; settings name it as {@code class}. If it cannot start, because a setting or its table is wrong, it
 * says so once in the log and fails every request with that message.
 */
public final class DynamoStateStoreProvider implements DurableStateStoreProvider {

    private final Persistence persistence;
    private final SerializedStates states;
    private final StateQueries queries;

    public DynamoStateStoreProvider(ExtendedActorSystem system, Config config, String path) {
        Dynajournal dynajournal = Dynajournal.get(system);
        Gate<OpenedStates> gate = dynajournal.states(config, path);
        PayloadSerde serde = new PayloadSerde(system);
        this.persistence = Persistence.get(system);
        this.states = new SerializedStates(gate, serde, dynajournal.news(path));
        this.queries = new StateQueries(gate, serde, dynajournal.news(path), dynajournal.queryListener());
    }

    @Override
    public akka.persistence.state.scaladsl.DurableStateStore<Object> scaladslDurableStateStore() {
        return new ScalaStateStore<>(persistence, states, queries);
    }

    @Override
    public akka.persistence.state.javadsl.DurableStateStore<Object> javadslDurableStateStore() {
        return new JavaStateStore<>(persistence, states, queries);
    }
}
