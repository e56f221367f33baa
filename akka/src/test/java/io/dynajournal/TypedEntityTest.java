package io.dynajournal;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.ActorSystem;
import akka.actor.Terminated;
import akka.actor.typed.ActorRef;
import akka.actor.typed.javadsl.Adapter;
import akka.persistence.typed.DeleteEventsCompleted;
import akka.persistence.typed.DeleteSnapshotsCompleted;
import akka.persistence.typed.SnapshotCompleted;
import io.dynajournal.internal.model.StoredEvent;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

final class TypedEntityTest {

    @RegisterExtension
    final Systems systems = new Systems();

    private final String id = Systems.freshId();
    private ActorSystem system;
    private Probe probe;

    @BeforeEach
    void start() {
        system = systems.start();
        probe = new Probe(system);
    }

    private ActorRef<Cart.Command> cart(String recovered) {
        return cart(recovered, "", "");
    }

    private ActorRef<Cart.Command> cart(String recovered, String journal, String snapshots) {
        ActorRef<Cart.Command> cart =
                Adapter.spawnAnonymous(system, Cart.of(id, Adapter.toTyped(probe.ref()), journal, snapshots));
        assertThat(probe.expect(Cart.Holds.class).items()).isEqualTo(recovered);
        return cart;
    }

    private void stop(ActorRef<Cart.Command> cart) {
        probe.watch(Adapter.toClassic(cart));
        cart.tell(new Cart.Stop());
        probe.expect(Terminated.class);
    }

    @Test
    void recoversWhatItPersisted() {
        ActorRef<Cart.Command> cart = cart("");
        cart.tell(new Cart.Put(List.of("a")));
        cart.tell(new Cart.Put(List.of("b")));
        probe.expect(2, Cart.Holds.class);
        stop(cart);

        cart("ab");
    }

    @Test
    void everyEventHasItsTags() {
        ActorRef<Cart.Command> cart = cart("");
        cart.tell(new Cart.Put(List.of("a", "b")));
        probe.expect(Cart.Holds.class);

        assertThat(Stored.events(system, "dynajournal_events", id))
                .extracting(stored -> stored.event().tags())
                .containsExactly(Set.of("item:a"), Set.of("item:b"));
    }

    @Test
    void retentionKeepsTheSnapshotAndDeletesTheEvents() {
        ActorRef<Cart.Command> cart = cart("");
        for (long round = 1; round <= 3; round++) {
            cart.tell(new Cart.Put(List.of("a", "b", "c")));
            assertThat(probe.expect(SnapshotCompleted.class)
                            .getSnapshotMetadata()
                            .sequenceNr())
                    .isEqualTo(round * Cart.SNAPSHOT_EVERY);
            probe.expect(Cart.Holds.class);
            if (round > 1) {
                assertThat(probe.expect(DeleteEventsCompleted.class).getToSequenceNr())
                        .isEqualTo((round - 1) * Cart.SNAPSHOT_EVERY);
                // The retention's last step: until then newer toolkits pass over the next one.
                probe.expect(DeleteSnapshotsCompleted.class);
            }
        }
        cart.tell(new Cart.Put(List.of("d")));
        probe.expect(Cart.Holds.class);
        stop(cart);

        cart("abcabcabcd");
        assertThat(Stored.events(system, "dynajournal_events", id))
                .extracting(StoredEvent::seqNr)
                .containsExactly(7L, 8L, 9L, 10L);
    }

    @Test
    void otherPluginsHaveTheirOwnTables() {
        ActorRef<Cart.Command> cart = cart("", "other-journal", "other-snapshot");
        cart.tell(new Cart.Put(List.of("a", "b", "c")));
        probe.expect(SnapshotCompleted.class);
        probe.expect(Cart.Holds.class);
        cart.tell(new Cart.Put(List.of("d")));
        probe.expect(Cart.Holds.class);
        stop(cart);

        stop(cart("abcd", "other-journal", "other-snapshot"));
        cart("");
        assertThat(Stored.events(system, "other_events", id)).hasSize(4);
        assertThat(Stored.events(system, "dynajournal_events", id)).isEmpty();
    }
}
