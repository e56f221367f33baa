package io.dynajournal.internal.toolkit;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.ActorRef;
import akka.actor.ActorSystem;
import akka.persistence.PersistentRepr;
import akka.persistence.journal.Tagged;
import io.dynajournal.internal.model.Event;
import io.dynajournal.internal.model.StoredEvent;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

final class EventSerdeTest {

    private static final ActorSystem SYSTEM = ActorSystem.create("serde");

    private final EventSerde serde = new EventSerde(new PayloadSerde(SYSTEM));

    @AfterAll
    static void stop() {
        SYSTEM.terminate();
    }

    private static PersistentRepr repr(Object payload) {
        return PersistentRepr.apply(payload, 7, "some|id", "adapter's", false, ActorRef.noSender(), "writer");
    }

    private Event event(PersistentRepr repr) {
        return serde.event(repr).toCompletableFuture().join();
    }

    private PersistentRepr back(Event event) {
        return serde.repr(new StoredEvent("some|id", 7, 1_234_567, "writer", event))
                .toCompletableFuture()
                .join();
    }

    @Test
    void everythingComesBack() {
        PersistentRepr original = repr("text").withMetadata(42L);
        PersistentRepr back = back(event(original));

        assertThat(back).isEqualTo(original.withTimestamp(1234));
        assertThat(back.manifest()).isEqualTo("adapter's");
        assertThat(back.metadata().get()).isEqualTo(42L);
        assertThat(back.timestamp()).isEqualTo(1234);
        assertThat(back.writerUuid()).isEqualTo("writer");
    }

    @Test
    void withoutMetadataThereIsNone() {
        assertThat(event(repr("text")).metadata()).isNull();
        assertThat(back(event(repr("text"))).metadata().isDefined()).isFalse();
    }

    @Test
    void tagsAreTakenOffTheEvent() {
        Event tagged = event(repr(new Tagged("text", Set.of("a", "b"))));

        assertThat(tagged.tags()).containsExactlyInAnyOrder("a", "b");
        assertThat(back(tagged).payload()).isEqualTo("text");
        assertThat(tagged.payload()).isEqualTo(event(repr("text")).payload());
    }

    @Test
    void whatCannotBeSerializedFailsTheStageAndNothingElse() {
        assertThat(serde.event(repr(new Object())).toCompletableFuture()).isCompletedExceptionally();
        assertThat(serde.event(repr("text").withMetadata(new Object())).toCompletableFuture())
                .isCompletedExceptionally();
    }
}
