package io.dynajournal.projection;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.typed.ActorSystem;
import akka.persistence.query.Offset;
import akka.persistence.query.typed.EventEnvelope;
import akka.projection.RunningProjection;
import akka.projection.eventsourced.javadsl.EventSourcedProvider;
import akka.projection.javadsl.SourceProvider;
import io.dynajournal.DynajournalSetup;
import io.dynajournal.health.DynajournalHealth;
import io.dynajournal.internal.model.Slices;
import io.dynajournal.listener.Operation;
import io.dynajournal.listener.ProjectionListener;
import io.dynajournal.listener.RequestEvent;
import io.dynajournal.listener.RequestListener;
import io.dynajournal.testkit.Await;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What the listener learns of the entities that a projection has projected, compared with the journal. */
final class RunningAuditTest implements ProjectionListener {

    /** An event is missed as soon as the projection is past it by more than the window. */
    private static final String QUICK = """
            dynajournal.query { backtracking.window = 10 ms, refresh-interval = 100 ms, idle-refresh-interval = 200 ms }
            dynajournal.projection { flush-interval = 1 ms, audit-sample = 100 }
            """;

    @RegisterExtension
    final Fixture fixture = new Fixture();

    private final List<Audit> audits = new CopyOnWriteArrayList<>();
    private final List<Status> statuses = new CopyOnWriteArrayList<>();

    @Override
    public void reported(Status status) {
        statuses.add(status);
    }

    @Override
    public void audited(Audit audit) {
        audits.add(audit);
    }

    private ActorSystem<Void> start(String interval) {
        return fixture.start(
                QUICK + "dynajournal.projection.audit-interval = " + interval,
                DynajournalSetup.create().withProjectionListener(this));
    }

    private RunningProjection run(ActorSystem<Void> system) {
        SourceProvider<Offset, EventEnvelope<String>> events =
                EventSourcedProvider.eventsBySlices(system, "dynajournal.query", fixture.entityType, 0, 1023);
        return Runs.atLeastOnce(events, system, label -> {}).run(system);
    }

    /** Writes until an audit that began later is as expected. */
    private void awaitAudit(Writers writers, String id, Predicate<Audit> expected) {
        audits.clear();
        Runs.until(() -> {
            writers.write(id, 1);
            return audits.stream().anyMatch(expected);
        });
    }

    @Test
    void missedEventsAreCountedWhileTheProjectionRuns() {
        ActorSystem<Void> system = start("100 ms");
        fixture.createOffsets(system);
        Writers writers = new Writers(system, "dynajournal.journal");
        String missed = fixture.entityType + "|missed";
        String other = fixture.entityType + "|other";
        writers.write(missed, 1);
        writers.write("Another" + fixture.entityType + "|1", 1);
        RunningProjection running = run(system);
        awaitAudit(writers, other, audit -> audit.sampled() == 2 && audit.projected() >= 1);
        assertThat(audits).allSatisfy(audit -> {
            assertThat(audit.missed()).isEmpty();
            assertThat(audit.projection()).isEqualTo(Runs.NAME);
            assertThat(audit.maxSlice()).isEqualTo(1023);
        });

        // As if the event had never been projected.
        fixture.deleteOffset(Runs.NAME, Slices.of(missed), missed);
        awaitAudit(writers, other, audit -> audit.missed().equals(List.of(missed)));

        // The next event of the entity stores a row again.
        writers.write(missed, 1);
        awaitAudit(
                writers, other, audit -> audit.sampled() == 2 && audit.missed().isEmpty());
        Await.result(Runs.stop(running));
    }

    @Test
    void withoutAnIntervalNothingIsAudited() {
        ActorSystem<Void> system = start("off");
        fixture.createOffsets(system);
        new Writers(system, "dynajournal.journal").write(fixture.entityType + "|1", 1);
        RunningProjection running = run(system);

        Runs.until(() ->
                statuses.stream().filter(status -> status.state() == State.IDLE).count() >= 3);
        assertThat(audits).isEmpty();
        Await.result(Runs.stop(running));
    }

    /** Nobody would learn of it, so it would only cost read units. */
    @Test
    void withoutAListenerNothingIsAudited() {
        List<RequestEvent> requests = new CopyOnWriteArrayList<>();
        ActorSystem<Void> system = fixture.start(
                QUICK + "dynajournal.projection.audit-interval = 100 ms",
                DynajournalSetup.create().withRequestListener(new RequestListener() {
                    @Override
                    public void onRequest(RequestEvent event) {
                        requests.add(event);
                    }
                }));
        fixture.createOffsets(system);
        new Writers(system, "dynajournal.journal").write(fixture.entityType + "|1", 1);
        RunningProjection running = run(system);
        DynajournalHealth health = DynajournalHealth.of(system);
        Runs.until(() -> health.projections().stream().anyMatch(status -> status.state() == State.IDLE));

        // Once a second the projection reads whether a tool has changed its offsets; an audit would read the rows of
        // all slices.
        requests.clear();
        Runs.until(() -> requests.stream()
                        .filter(request -> request.table().equals(fixture.offsets))
                        .count()
                >= 3);
        assertThat(requests)
                .filteredOn(request -> request.table().equals(fixture.offsets))
                .allMatch(request -> request.operation() == Operation.BATCH_GET && request.items() < 10);
        Await.result(Runs.stop(running));
    }
}
