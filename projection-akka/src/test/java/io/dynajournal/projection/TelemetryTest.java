package io.dynajournal.projection;

import static io.dynajournal.projection.ModelJournal.START;
import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.typed.ActorSystem;
import akka.projection.ProjectionId;
import akka.projection.internal.Telemetry;
import io.dynajournal.projection.javadsl.DynajournalProjection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The toolkit's telemetry sees the envelopes that reach the handler, and the offsets that are stored. */
final class TelemetryTest {

    /** What was reported, by projection and kind. */
    private static final Map<String, Integer> REPORTED = new ConcurrentHashMap<>();

    @RegisterExtension
    final Fixture fixture = new Fixture();

    private final ModelJournal journal = new ModelJournal();

    /** The toolkit creates it by its name. */
    public static final class Recording implements Telemetry {

        private final String projection;

        public Recording(ProjectionId projectionId, ActorSystem<?> system) {
            this.projection = projectionId.name();
        }

        private void add(String kind, int count) {
            REPORTED.merge(projection + " " + kind, count, Integer::sum);
        }

        @Override
        public void stopped() {
            add("stopped", 1);
        }

        @Override
        public void failed(Throwable cause) {
            add("failed", 1);
        }

        @Override
        public <E> Object beforeProcess(E envelope, long creationTime) {
            add("before", 1);
            return "context";
        }

        @Override
        public void afterProcess(Object context) {
            add("after", 1);
        }

        @Override
        public void onOffsetStored(int envelopes) {
            add("stored", envelopes);
        }

        @Override
        public void error(Throwable cause) {
            add("error", 1);
        }
    }

    private ActorSystem<Void> start() {
        // The root of the toolkit's settings is the second last part of this package's name.
        String[] parts = ActorSystem.class.getPackageName().split("\\.", -1);
        String root = parts[parts.length - 3];
        return fixture.start(root + ".projection.telemetry.implementations = [\"" + Recording.class.getName() + "\"]");
    }

    private static int reported(String projection, String kind) {
        return REPORTED.getOrDefault(projection + " " + kind, 0);
    }

    /** An envelope that is delivered twice is processed once, and a missing one is processed although it was not delivered. */
    private void deliver() {
        journal.deliver("A|1", 1, START)
                .deliver("A|1", 1, START)
                .write("A|1", 2, START + 1)
                .deliver("A|1", 3, START + 2);
        IntStream.rangeClosed(1, 7).forEach(i -> journal.deliver("A|2", i, START + 10 + i));
    }

    @Test
    void countsWhatAnAtLeastOnceProjectionHandlesAndStores() {
        ActorSystem<Void> system = start();
        deliver();
        String name = "telemetry-1-" + fixture.entityType;
        assertThat(Runs.toEnd(
                        DynajournalProjection.atLeastOnce(
                                ProjectionId.of(name, "0-1023"),
                                journal.source(),
                                () -> Runs.handler(label -> {}),
                                system),
                        system))
                .isNull();

        assertThat(reported(name, "before")).isEqualTo(10);
        assertThat(reported(name, "after")).isEqualTo(10);
        assertThat(reported(name, "stored")).isEqualTo(10);
        assertThat(reported(name, "stopped")).isEqualTo(1);
    }

    @Test
    void countsWhatAnExactlyOnceProjectionHandles() {
        ActorSystem<Void> system = start();
        deliver();
        String name = "telemetry-2-" + fixture.entityType;
        assertThat(Runs.toEnd(
                        DynajournalProjection.exactlyOnce(
                                ProjectionId.of(name, "0-1023"),
                                journal.source(),
                                () -> envelope -> CompletableFuture.completedFuture(List.of()),
                                system),
                        system))
                .isNull();

        assertThat(reported(name, "before")).isEqualTo(10);
        assertThat(reported(name, "after")).isEqualTo(10);
    }
}
