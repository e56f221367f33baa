package io.dynajournal.internal.toolkit;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.ActorRef;
import akka.actor.ActorSystem;
import akka.persistence.AtomicWrite;
import akka.persistence.PersistentRepr;
import akka.persistence.journal.Tagged;
import io.dynajournal.internal.model.Event;
import io.dynajournal.listener.TraceContexts;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

final class EventTracesTest {

    private static final ActorSystem SYSTEM = ActorSystem.create("traces");

    private final EventSerde serde = new EventSerde(new PayloadSerde(SYSTEM));
    private @Nullable String current;

    private final EventTraces traces = new EventTraces(new TraceContexts() {
        @Override
        public String toStore(String persistenceId, Object event) {
            return persistenceId + " " + event;
        }

        @Override
        public Scope restore(String stored) {
            current = stored;
            return () -> current = null;
        }
    });

    @AfterAll
    static void stop() {
        SYSTEM.terminate();
    }

    private static PersistentRepr repr(Object payload) {
        return PersistentRepr.apply(payload, 7, "some|id", "", false, ActorRef.noSender(), "writer");
    }

    private PersistentRepr traced(PersistentRepr repr) {
        return traces.traced(List.of(AtomicWrite.apply(repr))).get(0).payload().head();
    }

    private @Nullable String restored(@Nullable Object... metadata) {
        try (TraceContexts.Scope scope = traces.restore(Stream.of(metadata))) {
            assertThat(scope).isNotNull();
            return current;
        } finally {
            assertThat(current).isNull();
        }
    }

    @Test
    void theContextIsStoredAsTextAndTagsAreNotPartOfTheEvent() {
        Event event = serde.event(traced(repr(new Tagged("text", Set.of("tag")))))
                .toCompletableFuture()
                .join();
        assertThat(event.metadata())
                .isEqualTo(new PayloadSerde(SYSTEM)
                        .payload("some|id text")
                        .toCompletableFuture()
                        .join());
        assertThat(event.tags()).containsExactly("tag");
    }

    @Test
    void aFormatWithoutMetadataLeavesTheContextOut() {
        Event event = serde.eventWithTagsInside(traced(repr("text")))
                .toCompletableFuture()
                .join();
        assertThat(event.metadata()).isNull();
    }

    @Test
    void metadataOfTheToolkitIsKept() {
        assertThat(traced(repr("text").withMetadata(42L)).metadata().get()).isEqualTo(42L);
    }

    @Test
    void theContextIsRestoredIfAllEventsHaveTheSame() {
        assertThat(restored("one")).isEqualTo("one");
        assertThat(restored("one", "one")).isEqualTo("one");
        assertThat(restored("one", "other")).isNull();
        assertThat(restored("one", null)).isNull();
        assertThat(restored((Object) null)).isNull();
        assertThat(restored(42L)).isNull();
    }

    @Test
    void withoutTraceContextsNothingIsCopiedOrRead() {
        EventTraces off = new EventTraces(TraceContexts.NONE);
        List<AtomicWrite> writes = List.of(AtomicWrite.apply(repr("text")));
        assertThat(off.traced(writes)).isSameAs(writes);

        AtomicInteger read = new AtomicInteger();
        off.restore(Stream.<@Nullable Object>of("one").peek(metadata -> read.incrementAndGet()))
                .close();
        assertThat(read).hasValue(0);
    }
}
