package io.dynajournal.projection;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.typed.ActorSystem;
import akka.projection.RunningProjection;
import akka.projection.eventsourced.javadsl.EventSourcedProvider;
import io.dynajournal.DynajournalSetup;
import io.dynajournal.internal.catalog.Layout;
import io.dynajournal.internal.dynamo.AwsClient;
import io.dynajournal.internal.dynamo.ClientSettings;
import io.dynajournal.internal.dynamo.Clients;
import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.dynamo.RetrySettings;
import io.dynajournal.internal.layout.LayoutSettings;
import io.dynajournal.internal.model.SliceRange;
import io.dynajournal.internal.model.Slices;
import io.dynajournal.internal.projections.OffsetTable;
import io.dynajournal.internal.projections.ProjectionAudit;
import io.dynajournal.internal.projections.ProjectionAudit.State;
import io.dynajournal.internal.projections.ProjectionOffsets;
import io.dynajournal.listener.ProjectionListener;
import io.dynajournal.listener.RequestListener;
import io.dynajournal.testkit.Await;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** What tools do with the offsets of a projection, while it runs and without an actor system of their own. */
final class ProjectionToolsTest {

    @RegisterExtension
    final Fixture fixture = new Fixture();

    private final AwsClient client = Clients.connect(ClientSettings.forEndpoint(Fixture.server()));
    private final Dynamo dynamo = new Dynamo(client, RetrySettings.DEFAULTS, RequestListener.NONE, Clock.systemUTC());
    private final Received received = new Received();
    private volatile ProjectionListener.State state = ProjectionListener.State.STARTING;

    @AfterEach
    void close() {
        client.close();
    }

    private ActorSystem<Void> start(String layout) {
        ActorSystem<Void> system = fixture.start(
                "dynajournal.projection { flush-interval = 50 ms, layout = " + layout + " }\n",
                DynajournalSetup.create().withProjectionListener(new ProjectionListener() {
                    @Override
                    public void reported(Status status) {
                        state = status.state();
                    }
                }));
        fixture.createOffsets(system);
        return system;
    }

    private RunningProjection run(ActorSystem<?> system) {
        return Runs.atLeastOnce(
                        EventSourcedProvider.eventsBySlices(system, "dynajournal.query", fixture.entityType, 0, 1023),
                        system,
                        received::add)
                .run(system);
    }

    private ProjectionOffsets offsets() {
        return new ProjectionOffsets(dynamo, fixture.offsets, Runs.NAME);
    }

    private void awaitState(ProjectionListener.State expected) {
        Runs.until(() -> state == expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"timestamp-offset", "packed"})
    void aRunningProjectionNoticesWhatAToolChanges(String layout) {
        ActorSystem<Void> system = start(layout);
        Writers writers = new Writers(system, "dynajournal.journal");
        String id = fixture.entityType + "|1";
        writers.write(id, 2);
        RunningProjection running = run(system);
        assertThat(received.next(2)).containsExactly(id + "/1", id + "/2");
        awaitState(ProjectionListener.State.IDLE);

        Await.result(offsets().pause(true));
        awaitState(ProjectionListener.State.PAUSED);
        writers.write(id, 1);
        assertThat(Await.result(offsets().read()).paused()).containsExactly(SliceRange.ALL);
        received.assertNothingMore();
        Await.result(offsets().pause(false));
        assertThat(received.next()).isEqualTo(id + "/3");

        Await.result(offsets().set(0));
        assertThat(received.next(3)).containsExactly(id + "/1", id + "/2", id + "/3");
        awaitState(ProjectionListener.State.IDLE);

        // Paused before, so that the instance stores nothing meanwhile.
        Await.result(offsets().pause(true));
        awaitState(ProjectionListener.State.PAUSED);
        writers.write(id, 1);
        Await.result(offsets().set(dynamo.nowMicros()));
        Await.result(offsets().pause(false));
        awaitState(ProjectionListener.State.IDLE);
        writers.write(id, 1);
        assertThat(received.next()).isEqualTo(id + "/5");
        Await.result(Runs.stop(running));
        received.assertNothingMore();
    }

    @Test
    void listsProjectionsAndHowFarTheyAre() {
        ActorSystem<Void> system = start("timestamp-offset");
        assertThat(Await.result(ProjectionOffsets.names(dynamo, fixture.offsets)))
                .isEmpty();
        assertThat(Await.result(offsets().read()).projectedToMicros()).isZero();

        Writers writers = new Writers(system, "dynajournal.journal");
        writers.write(fixture.entityType + "|1", 1);
        RunningProjection running = run(system);
        received.next();
        Await.result(Runs.stop(running));

        assertThat(Await.result(ProjectionOffsets.names(dynamo, fixture.offsets)))
                .containsExactly(Runs.NAME);
        ProjectionOffsets.Overview overview = Await.result(offsets().read());
        assertThat(overview.newestMicros()).isPositive();
        assertThat(overview.projectedToMicros()).isEqualTo(overview.newestMicros());
        assertThat(overview.ranges()).containsExactly(Map.entry(SliceRange.ALL, overview.newestMicros()));
        assertThat(overview.paused()).isEmpty();
        assertThat(overview.packed()).isFalse();
    }

    @Test
    void anAuditTellsMissedEventsFromThoseThatWait() {
        ActorSystem<Void> system = start("timestamp-offset");
        Writers writers = new Writers(system, "dynajournal.journal");
        List<String> ids = fixture.ids(1023, 4);
        ids.forEach(id -> writers.write(id, 2));
        RunningProjection running = run(system);
        received.next(8);
        Await.result(Runs.stop(running));
        ProjectionAudit audit = new ProjectionAudit(
                new OffsetTable(dynamo, fixture.offsets, Runs.NAME, null),
                Layout.COMMITS.journal(new LayoutSettings(Map.of())).open(dynamo),
                Duration.ZERO);
        assertThat(Await.result(audit.of(ids)))
                .extracting(ProjectionAudit.Entity::state)
                .containsOnly(State.PROJECTED);

        // As if an event had not been projected, and another entity never.
        Map<String, AttributeValue> row = new HashMap<>(fixture.offset(Runs.NAME, Slices.of(ids.get(0)), ids.get(0)));
        row.put("seq_nr", AttributeValue.fromN("1"));
        fixture.putOffset(row);
        fixture.deleteOffset(Runs.NAME, Slices.of(ids.get(1)), ids.get(1));
        writers.write(ids.get(2), 1);

        List<ProjectionAudit.Entity> found = Await.result(audit.of(ids));
        assertThat(found)
                .containsExactly(
                        new ProjectionAudit.Entity(ids.get(0), State.MISSED, 1, 2),
                        new ProjectionAudit.Entity(ids.get(1), State.MISSED, 0, 1),
                        new ProjectionAudit.Entity(ids.get(2), State.WAITING, 2, 3),
                        new ProjectionAudit.Entity(ids.get(3), State.PROJECTED, 2, 0));
        assertThat(ProjectionAudit.count(found, State.MISSED)).isEqualTo(2);
    }
}
