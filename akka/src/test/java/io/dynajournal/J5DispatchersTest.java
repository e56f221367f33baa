package io.dynajournal;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.ActorRef;
import akka.actor.ActorRefWithCell;
import akka.actor.ActorSystem;
import akka.persistence.Persistence;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Journal and snapshot store of j5ik2o's run on the dispatchers of their settings; J5StateTest has the state store. */
final class J5DispatchersTest {

    private static final Config NONE = ConfigFactory.empty();

    @RegisterExtension
    final Systems systems = new Systems();

    private static String dispatcher(ActorRef plugin) {
        return ((ActorRefWithCell) plugin).underlying().props().dispatcher();
    }

    @Test
    void pluginsRunOnTheirDispatchers() {
        ActorSystem system = systems.start(ConfigFactory.load(ConfigFactory.parseString("""
                j5ik2o.dynamo-db-journal.plugin-dispatcher = "for-events"
                j5ik2o.dynamo-db-snapshot.plugin-dispatcher = "for-snapshots"
                other = ${j5ik2o.dynamo-db-journal} { plugin-dispatcher = "ak""ka.actor.default-dispatcher" }
                for-events { type = Dispatcher, executor = thread-pool-executor, thread-pool-executor.fixed-pool-size = 1 }
                for-snapshots = ${for-events}
                """)));
        Persistence persistence = Persistence.get(system);
        assertThat(dispatcher(persistence.journalFor("j5ik2o.dynamo-db-journal", NONE)))
                .isEqualTo("for-events");
        assertThat(dispatcher(persistence.snapshotStoreFor("j5ik2o.dynamo-db-snapshot", NONE)))
                .isEqualTo("for-snapshots");
        assertThat(dispatcher(persistence.journalFor("other", NONE))).isEqualTo("ak" + "ka.actor.default-dispatcher");
    }
}
