package io.dynajournal.projection;

import static org.assertj.core.api.Assertions.assertThat;

import akka.Done;
import akka.actor.typed.ActorSystem;
import akka.persistence.journal.EventAdapter;
import akka.persistence.journal.EventSeq;
import akka.persistence.query.typed.EventEnvelope;
import akka.projection.Projection;
import akka.projection.RunningProjection;
import akka.projection.eventsourced.javadsl.EventSourcedProvider;
import akka.projection.javadsl.Handler;
import io.dynajournal.projection.javadsl.DynajournalProjection;
import io.dynajournal.testkit.Await;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Event adapters of the journal: a projection receives what they return, and passes over what they leave out. */
final class AdaptedEventsTest {

    @RegisterExtension
    final Fixture fixture = new Fixture();

    /** The toolkit creates it by its name. Leaves out every second event. */
    public static final class EveryOther implements EventAdapter {

        @Override
        public String manifest(Object event) {
            return "";
        }

        @Override
        public Object toJournal(Object event) {
            return event;
        }

        @Override
        public EventSeq fromJournal(Object event, String manifest) {
            int number = Integer.parseInt(event.toString());
            return number % 2 == 0 ? EventSeq.empty() : EventSeq.single("adapted " + number);
        }
    }

    private Projection<EventEnvelope<String>> projection(
            ActorSystem<?> system, Consumer<EventEnvelope<String>> receive) {
        return DynajournalProjection.atLeastOnce(
                Runs.ID,
                EventSourcedProvider.eventsBySlices(system, "dynajournal.query", fixture.entityType, 0, 1023),
                () -> new Handler<>() {
                    @Override
                    public CompletionStage<Done> process(EventEnvelope<String> envelope) {
                        receive.accept(envelope);
                        return CompletableFuture.completedFuture(Done.getInstance());
                    }
                },
                system);
    }

    @Test
    void aProjectionReceivesAdaptedEventsOverARestart() {
        ActorSystem<Void> system =
                fixture.start("dynajournal.journal { event-adapters { every-other = \"" + EveryOther.class.getName()
                        + "\" }, event-adapter-bindings { \"java.lang.String\" = every-other } }\n");
        Writers writers = new Writers(system, "dynajournal.journal");
        String id = fixture.entityType + "|1";
        writers.writeNumbers(id, 1, 2, 3);

        Received received = new Received();
        Consumer<EventEnvelope<String>> receive =
                envelope -> received.add(envelope.sequenceNr() + " " + envelope.event());
        RunningProjection first = projection(system, receive).run(system);
        assertThat(received.next(2)).containsExactly("1 adapted 1", "3 adapted 3");
        Await.result(Runs.stop(first));

        writers.writeNumbers(id, 4, 5);
        RunningProjection second = projection(system, receive).run(system);
        assertThat(received.next()).isEqualTo("5 adapted 5");
        Await.result(Runs.stop(second));
        received.assertNothingMore();
    }
}
