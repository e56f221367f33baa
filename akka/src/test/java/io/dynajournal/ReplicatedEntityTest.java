package io.dynajournal;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.ActorSystem;
import akka.actor.Terminated;
import akka.actor.typed.ActorRef;
import akka.actor.typed.javadsl.Adapter;
import akka.persistence.typed.SnapshotCompleted;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

final class ReplicatedEntityTest {

    @RegisterExtension
    final Systems systems = new Systems();

    private final String entityId = UUID.randomUUID().toString();
    private final ActorSystem system = systems.start();
    private final Probe probe = new Probe(system);

    private ActorRef<String> cart() {
        return Adapter.spawnAnonymous(system, ReplicatedCart.of(entityId, Adapter.toTyped(probe.ref())));
    }

    private String holds() {
        return probe.expect(Cart.Holds.class).items();
    }

    @Test
    void metadataOfEventsAndSnapshotsComesBack() {
        ActorRef<String> cart = cart();
        assertThat(holds()).isEmpty();
        cart.tell("a");
        assertThat(holds()).isEqualTo("a@west ");
        cart.tell(ReplicatedCart.SNAPSHOT);
        probe.expect(SnapshotCompleted.class);
        assertThat(holds()).isEqualTo("a@west !@west ");
        cart.tell("b");
        holds();
        probe.watch(Adapter.toClassic(cart));
        system.stop(Adapter.toClassic(cart));
        probe.expect(Terminated.class);

        ActorRef<String> again = cart();
        assertThat(holds()).isEqualTo("a@west !@west b@west ");
        again.tell("c");
        assertThat(holds()).endsWith("c@west ");
        String id = ReplicatedCart.replicationId(entityId).persistenceId().id();
        assertThat(Stored.events(system, "dynajournal_events", id))
                .hasSize(4)
                .allMatch(stored -> Objects.nonNull(stored.event().metadata()));
    }
}
