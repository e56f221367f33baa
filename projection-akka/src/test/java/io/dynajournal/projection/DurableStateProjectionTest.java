package io.dynajournal.projection;

import static org.assertj.core.api.Assertions.assertThat;

import akka.Done;
import akka.actor.typed.ActorSystem;
import akka.persistence.query.DurableStateChange;
import akka.persistence.query.Offset;
import akka.persistence.query.UpdatedDurableState;
import akka.persistence.state.DurableStateStoreRegistry;
import akka.persistence.state.javadsl.DurableStateUpdateStore;
import akka.projection.RunningProjection;
import akka.projection.javadsl.Handler;
import akka.projection.javadsl.SourceProvider;
import io.dynajournal.internal.model.Slices;
import io.dynajournal.projection.javadsl.DurableStateSourceProvider;
import io.dynajournal.projection.javadsl.DynajournalProjection;
import io.dynajournal.testkit.Await;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import scala.concurrent.Future;

/** Projections of the changes of durable states. */
final class DurableStateProjectionTest {

    @RegisterExtension
    final Fixture fixture = new Fixture();

    private static String label(DurableStateChange<String> change) {
        return change instanceof UpdatedDurableState<String> updated
                ? updated.value() + "/" + updated.revision()
                : "deleted";
    }

    @SuppressWarnings("unchecked")
    private static DurableStateUpdateStore<String> store(ActorSystem<?> system) {
        return DurableStateStoreRegistry.get(system)
                .getDurableStateStoreFor(DurableStateUpdateStore.class, "dynajournal.state");
    }

    @Test
    void newRevisionsArriveOnceAndDeletesToo() {
        ActorSystem<Void> system = fixture.start();
        DurableStateUpdateStore<String> states = store(system);
        String id = fixture.entityType + "|1";
        Await.result(states.upsertObject(id, 1, "one", ""));
        Received received = new Received();
        SourceProvider<Offset, DurableStateChange<String>> source =
                DurableStateSourceProvider.changesBySlices(system, "dynajournal.state", fixture.entityType, 0, 1023);
        Handler<DurableStateChange<String>> handler = new Handler<>() {
            @Override
            public CompletionStage<Done> process(DurableStateChange<String> change) {
                received.add(label(change));
                return CompletableFuture.completedFuture(Done.getInstance());
            }
        };
        RunningProjection first = DynajournalProjection.atLeastOnce(Runs.ID, source, () -> handler, system)
                .run(system);
        assertThat(received.next()).isEqualTo("one/1");
        Await.result(states.upsertObject(id, 2, "two", ""));
        assertThat(received.next()).isEqualTo("two/2");
        Await.result(Runs.stop(first));

        Await.result(states.upsertObject(id, 3, "three", ""));
        Await.result(states.deleteObject(id, 4));
        RunningProjection second = DynajournalProjection.atLeastOnce(Runs.ID, source, () -> handler, system)
                .run(system);
        while (!received.next().equals("deleted")) {
            assertThat(received.all()).doesNotHaveDuplicates();
        }
        Await.result(Runs.stop(second));
        assertThat(received.all())
                .startsWith("one/1", "two/2")
                .endsWith("deleted")
                .doesNotHaveDuplicates();
        assertThat(Fixture.number(fixture.offset(Runs.NAME, Slices.of(id), id), "seq_nr"))
                .isEqualTo(4);
    }

    @Test
    void theScalaApiDoesTheSame() {
        fixture.createReadModel();
        ActorSystem<Void> system = fixture.start();
        String id = fixture.entityType + "|1";
        Await.result(store(system).upsertObject(id, 1, "one", ""));
        Received received = new Received();
        RunningProjection running = io.dynajournal.projection.scaladsl.DynajournalProjection.exactlyOnce(
                        Runs.ID,
                        io.dynajournal.projection.scaladsl.DurableStateSourceProvider.<String>changesBySlices(
                                system, "dynajournal.state", fixture.entityType, 0, 1023),
                        () -> change -> {
                            received.add(label(change));
                            return Future.successful(
                                    scala.jdk.javaapi.CollectionConverters.asScala(List.of(fixture.count(id, 1))));
                        },
                        system)
                .run(system);
        assertThat(received.next()).isEqualTo("one/1");
        Await.result(Runs.stop(running));
        assertThat(fixture.counts()).containsEntry(id + "/1", 1L);
    }
}
