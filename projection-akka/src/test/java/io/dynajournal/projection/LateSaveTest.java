package io.dynajournal.projection;

import static io.dynajournal.projection.ModelJournal.START;
import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.typed.ActorSystem;
import io.dynajournal.projection.javadsl.DynajournalProjection;
import io.dynajournal.testkit.FaultProxy;
import io.dynajournal.testkit.HeldRequest;
import io.dynajournal.testkit.RequestMatch;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** At least once, one instance: an attempt of a save loses its connection, and takes effect after the next save. */
final class LateSaveTest {

    @RegisterExtension
    final Fixture fixture = new Fixture();

    private final ModelJournal journal = new ModelJournal().deliver("A|1", 1, START);

    /** What another run receives after the first attempt of the first save has taken effect last. */
    private List<String> receivedAgain(String layout, RequestMatch save) {
        journal.deliver("A|1", 2, START + 1);
        FaultProxy proxy = fixture.proxy();
        ActorSystem<Void> system = fixture.start(Fixture.through(proxy) + "dynajournal.projection.layout = " + layout);
        fixture.createOffsets(system);
        HeldRequest late = proxy.when(save).deliverLate();
        List<String> received = new CopyOnWriteArrayList<>();
        Throwable failure = Runs.toEnd(
                DynajournalProjection.atLeastOnce(Runs.ID, journal.source(), () -> Runs.handler(received::add), system)
                        .withSaveOffset(1, Duration.ofSeconds(1)),
                system);
        assertThat(failure).isNull();
        assertThat(received).containsExactly("A|1/1", "A|1/2");
        late.release();
        late.awaitDelivery();
        return Runs.received(journal.source(), system);
    }

    /** A limit: the requests of these saves have no conditions. */
    @Test
    void setsBackTheRowOfAnEntityInTheDefaultLayout() {
        assertThat(receivedAgain("timestamp-offset", RequestMatch.operation("BatchWriteItem")))
                .containsExactly("A|1/2");
    }

    @Test
    void isRejectedInTheLayoutPacked() {
        assertThat(receivedAgain("packed", RequestMatch.operation("PutItem").containing("\"batch\"")))
                .isEmpty();
    }
}
