package io.dynajournal.projection;

import static org.assertj.core.api.Assertions.assertThat;

import akka.Done;
import akka.actor.typed.ActorSystem;
import akka.persistence.query.Offset;
import akka.persistence.query.typed.EventEnvelope;
import akka.projection.ProjectionId;
import akka.projection.RunningProjection;
import akka.projection.RunningProjectionManagement;
import akka.projection.eventsourced.javadsl.EventSourcedProvider;
import akka.projection.javadsl.Handler;
import akka.projection.javadsl.SourceProvider;
import io.dynajournal.DynajournalSetup;
import io.dynajournal.exception.StoreException;
import io.dynajournal.health.DynajournalHealth;
import io.dynajournal.listener.ProjectionListener;
import io.dynajournal.listener.ProjectionListener.State;
import io.dynajournal.listener.ProjectionListener.Status;
import io.dynajournal.projection.javadsl.DynajournalProjection;
import io.dynajournal.testkit.Await;
import io.dynajournal.testkit.ErrorAnswer;
import io.dynajournal.testkit.FaultProxy;
import io.dynajournal.testkit.RequestMatch;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import scala.jdk.javaapi.FutureConverters;

/** What a listener learns of projections: how far they are, and why one does not go on. */
final class ProjectionStatusTest {

    /** The journal is read through a client with short timeouts, beside the one that writes. */
    private static final String QUICK = """
            quick-client = ${dynajournal.client}
            quick-client { endpoint = "%s", call-timeout = 1 s, call-attempt-timeout = 900 ms
              http.connection-acquisition-timeout = 800 ms }
            quick-journal = ${dynajournal.journal}
            quick-journal.use-client = quick-client
            quick-query = ${dynajournal.query}
            quick-query { journal-plugin-id = quick-journal, refresh-interval = 100 ms, idle-refresh-interval = 100 ms }
            dynajournal.projection.stuck-after = 2 s
            """;

    @RegisterExtension
    final Fixture fixture = new Fixture();

    private final FaultProxy proxy = fixture.proxy();
    private final LinkedBlockingQueue<Status> reports = new LinkedBlockingQueue<>();
    private final ProjectionListener listener = new ProjectionListener() {
        @Override
        public void reported(Status status) {
            reports.add(status);
        }
    };

    /** The handler's answer to each event. */
    private final AtomicReference<CompletionStage<Done>> answer =
            new AtomicReference<>(CompletableFuture.completedFuture(Done.getInstance()));

    private ActorSystem<Void> start(ProjectionListener heard) {
        return fixture.start(
                QUICK.formatted(proxy.endpoint()), DynajournalSetup.create().withProjectionListener(heard));
    }

    private RunningProjection run(ActorSystem<?> system) {
        SourceProvider<Offset, EventEnvelope<String>> events =
                EventSourcedProvider.eventsBySlices(system, "quick-query", fixture.entityType, 0, 1023);
        return DynajournalProjection.atLeastOnce(
                        ProjectionId.of(Runs.NAME, "all"),
                        events,
                        () -> new Handler<EventEnvelope<String>>() {
                            @Override
                            public CompletionStage<Done> process(EventEnvelope<String> envelope) {
                                return there(answer.get());
                            }
                        },
                        system)
                .withRestartBackoff(Duration.ofMillis(50), Duration.ofMillis(50), 0.0)
                .run(system);
    }

    /** The next report that fits. */
    private Status await(Predicate<Status> fits) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (true) {
            try {
                Status next = Objects.requireNonNull(
                        reports.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS),
                        "no such report within 60 seconds");
                if (fits.test(next)) {
                    return next;
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new AssertionError("interrupted", e);
            }
        }
    }

    private Status await(State state) {
        return await(status -> status.state() == state);
    }

    private static <T> T there(@org.jspecify.annotations.Nullable T value) {
        return Objects.requireNonNull(value);
    }

    /** For health checks, also without a listener. */
    @Test
    void theLatestStatusIsPartOfTheHealth() {
        ActorSystem<Void> system = start(ProjectionListener.NONE);
        DynajournalHealth health = DynajournalHealth.of(system);
        assertThat(health.projections()).isEmpty();
        Writers writers = new Writers(system, "dynajournal.journal");
        writers.write(fixture.entityType + "|1", 2);
        RunningProjection running = run(system);

        Runs.until(() -> health.projections().stream()
                .anyMatch(status -> status.state() == State.IDLE && status.lastProgress() != null));
        assertThat(health.projections()).singleElement().satisfies(status -> {
            assertThat(status.projection()).isEqualTo(Runs.NAME);
            assertThat(status.key()).isEqualTo("all");
            assertThat(status.cause()).isNull();
        });
        assertThat(health.queries()).singleElement().satisfies(query -> {
            assertThat(query.query()).contains(fixture.entityType);
            assertThat(query.delivered()).isEqualTo(2);
            assertThat(query.failure()).isNull();
        });
        Await.result(Runs.stop(running));
        assertThat(health.projections())
                .singleElement()
                .satisfies(status -> assertThat(status.state()).isEqualTo(State.STOPPED));
    }

    @Test
    void tellsRunningIdleStuckFailedAndStoppedApart() {
        ActorSystem<Void> system = start(listener);
        Writers writers = new Writers(system, "dynajournal.journal");
        String id = fixture.entityType + "|1";
        Instant before = Instant.now().minusMillis(1);
        writers.write(id, 3);
        Instant written = Instant.now().plusMillis(1);
        RunningProjection running = run(system);

        // Idle: all is stored, and the query has read beyond the last event.
        Status idle = await(status -> status.state() == State.IDLE
                && status.projectedTo() != null
                && status.projectedTo().isAfter(written));
        assertThat(idle.projection()).isEqualTo(Runs.NAME);
        assertThat(idle.key()).isEqualTo("all");
        assertThat(idle.minSlice()).isZero();
        assertThat(idle.maxSlice()).isEqualTo(1023);
        assertThat(idle.lastEvent()).isBetween(before, written);
        assertThat(idle.lastProgress()).isAfter(before);
        assertThat(idle.waiting()).isZero();
        assertThat(there(idle.lag())).isLessThan(Duration.between(written, Instant.now()));
        assertThat(idle.failures()).isZero();
        assertThat(idle.cause()).isNull();

        // Running, then stuck: the handler does not return.
        CompletableFuture<Done> late = new CompletableFuture<>();
        answer.set(late);
        Instant later = Instant.now().minusMillis(1);
        writers.write(id, 2);
        Status busy = await(status -> status.state() == State.RUNNING && status.waiting() == 2);
        assertThat(there(busy.projectedTo())).isBetween(later, Instant.now());
        Status stuck = await(State.STUCK);
        assertThat(stuck.waiting()).isEqualTo(2);
        assertThat(stuck.projectedTo()).isEqualTo(busy.projectedTo());
        assertThat(there(stuck.lag())).isGreaterThanOrEqualTo(Duration.ofSeconds(2));
        assertThat(stuck.lastEvent()).isEqualTo(idle.lastEvent());
        answer.set(CompletableFuture.completedFuture(Done.getInstance()));
        late.complete(Done.getInstance());
        assertThat(there(await(status -> status.state() == State.IDLE && status.waiting() == 0)
                        .lastEvent()))
                .isAfterOrEqualTo(later);

        // Stuck: the journal cannot be read.
        proxy.when(RequestMatch.operation("Query")).always().answer(ErrorAnswer.internalServerError());
        assertThat(await(State.STUCK).cause()).isInstanceOf(StoreException.Unavailable.class);
        proxy.clear();
        assertThat(await(State.IDLE).cause()).isNull();

        // Failed, again and again, until the event is handled.
        answer.set(CompletableFuture.failedFuture(new IllegalStateException("on purpose")));
        writers.write(id, 1);
        Status failed = await(status -> status.state() == State.FAILED && status.failures() == 2);
        assertThat(failed.cause()).hasMessageContaining("on purpose");
        answer.set(CompletableFuture.completedFuture(Done.getInstance()));
        assertThat(await(State.IDLE).failures()).isZero();

        Await.result(Runs.stop(running));
        await(State.STOPPED);
        assertThat(reports).allMatch(status -> status.state() == State.STOPPED);
    }

    @Test
    void reportsAPauseAndHowFarItWas() {
        ActorSystem<Void> system = start(listener);
        Writers writers = new Writers(system, "dynajournal.journal");
        writers.write(fixture.entityType + "|1", 1);
        RunningProjection running = run(system);
        Status before = await(status -> status.state() == State.IDLE && status.lastEvent() != null);
        Await.result(Runs.stop(running));
        await(State.STOPPED);
        Await.result(FutureConverters.asJava(((RunningProjectionManagement<?>) running).setPaused(true)));

        RunningProjection paused = run(system);

        await(State.STARTING);
        Status status = await(State.PAUSED);
        assertThat(status.lastEvent()).isEqualTo(before.lastEvent());
        assertThat(there(status.lag())).isPositive();
        // Still paused a second later, with more lag.
        assertThat(await(State.PAUSED).lag()).isGreaterThan(there(status.lag()));
        Await.result(Runs.stop(paused));
    }

    @Test
    void aListenerThatThrowsDoesNotDisturbTheProjection() {
        ActorSystem<Void> system = start(new ProjectionListener() {
            @Override
            public void reported(Status status) {
                reports.add(status);
                throw new AssertionError("the listener failed");
            }
        });
        new Writers(system, "dynajournal.journal").write(fixture.entityType + "|1", 2);
        RunningProjection running = run(system);
        await(status -> status.state() == State.IDLE && status.lastEvent() != null);
        Await.result(Runs.stop(running));
        assertThat(await(State.STOPPED).failures()).isZero();
    }
}
