package io.dynajournal.testkit.akka1;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.dynamo.Item;
import io.dynajournal.internal.layout.akka1.Akka1EventFormat;
import io.dynajournal.internal.layout.akka1.Akka1Journal;
import io.dynajournal.internal.layout.akka1.Akka1Snapshots;
import io.dynajournal.internal.model.Payload;
import io.dynajournal.internal.model.SnapshotCriteria;
import io.dynajournal.internal.model.StoredSnapshot;
import io.dynajournal.internal.store.SnapshotTable;
import io.dynajournal.listener.Operation;
import io.dynajournal.listener.RequestListener;
import io.dynajournal.testkit.Await;
import io.dynajournal.testkit.CostMeter;
import io.dynajournal.testkit.LocalDynamo;
import io.dynajournal.testkit.LogWriter;
import io.dynajournal.testkit.TestEvents;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.LoggerFactory;

/** Snapshots that 1.x on Akka 2.5 keeps under the default name, although the journal has another one. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class Akka1DefaultNameTest {

    @RegisterExtension
    final LocalDynamo local = new LocalDynamo();

    private final Dynamo dynamo = local.open(RequestListener.NONE);
    private final Akka1Journal defaultJournal = Akka1Journal.of(local.freshTable());
    private final Akka1Snapshots theirs = Akka1Snapshots.of(local.freshTable()).withEventFormat(Akka1EventFormat.EVENT);
    private final Akka1Snapshots ledger =
            new Akka1Snapshots(theirs.tableName(), "ledger", theirs.maxItemSize(), Akka1EventFormat.EVENT, null);
    private final Akka1Snapshots ours = ledger.alsoUnderDefaultName(defaultJournal);

    Akka1DefaultNameTest() {
        local.create(defaultJournal.table());
        local.create(theirs.table());
    }

    private static StoredSnapshot snapshot(String id, long seqNr) {
        return new StoredSnapshot(id, seqNr, seqNr, new Payload(5, "", TestEvents.randomBytes(20)), null);
    }

    private SnapshotTable open(Akka1Snapshots layout) {
        return layout.open(dynamo);
    }

    private StoredSnapshot save(Akka1Snapshots layout, String id, long seqNr) {
        StoredSnapshot snapshot = snapshot(id, seqNr);
        Await.result(open(layout).save(snapshot));
        return snapshot;
    }

    private Optional<StoredSnapshot> load(Akka1Snapshots layout, String id) {
        return Await.result(open(layout).load(id, SnapshotCriteria.ALL));
    }

    private List<String> keys(String id) {
        return new Akka1Table(local.client(), theirs.tableName())
                .items().stream()
                        .map(Item::of)
                        .filter(item -> item.text("par").endsWith("-P-" + id))
                        .map(item -> item.text("par").replace(id, "") + item.number("seq"))
                        .sorted()
                        .toList();
    }

    @Test
    void aSnapshotUnderTheDefaultNameIsLoadedAndLaterOnesAreStoredThere() {
        String id = TestEvents.freshId();
        StoredSnapshot stored = save(theirs, id, 3);
        assertThat(load(ours, id)).contains(stored);
        StoredSnapshot next = save(ours, id, 5);
        assertThat(keys(id)).containsExactly("journal-P-3", "journal-P-5");
        // The way back: the predecessor finds it.
        assertThat(load(theirs, id)).contains(next);
        assertThat(load(ours, id)).contains(next);
        Await.result(open(ours).delete(id, SnapshotCriteria.ALL));
        assertThat(keys(id)).isEmpty();
    }

    @Test
    void theNewerOfBothIsLoadedAndBothAreDeleted() {
        for (long own : new long[] {2, 4}) {
            String id = TestEvents.freshId();
            save(ledger, id, own);
            save(theirs, id, 3);
            assertThat(load(ours, id).map(StoredSnapshot::seqNr)).contains(Math.max(3, own));
            Await.result(open(ours).delete(id, SnapshotCriteria.ALL));
            assertThat(keys(id)).isEmpty();
        }
    }

    @Test
    void aPersistenceIdWithoutOneUsesTheJournalsName() {
        String id = TestEvents.freshId();
        assertThat(load(ours, id)).isEmpty();
        StoredSnapshot stored = save(ours, id, 3);
        assertThat(keys(id)).containsExactly("ledger-P-3");
        assertThat(load(ours, id)).contains(stored);
    }

    /** An entity of another application, whose journal has the default name, in the same tables. */
    @Test
    void aSnapshotOfTheOtherJournalIsLeftAlone() {
        String id = TestEvents.freshId();
        LogWriter.recover(defaultJournal.open(dynamo), id).write(3);
        StoredSnapshot others = save(theirs, id, 3);
        assertThat(load(ours, id)).isEmpty();
        StoredSnapshot own = save(ours, id, 2);
        assertThat(load(ours, id)).contains(own);
        Await.result(open(ours).delete(id, SnapshotCriteria.ALL));
        assertThat(load(theirs, id)).contains(others);
        assertThat(keys(id)).containsExactly("journal-P-3");
    }

    /** Also after all its events were deleted. */
    @Test
    void theOtherJournalsEntityIsKnownByItsMarksToo() {
        String id = TestEvents.freshId();
        LogWriter.recover(defaultJournal.open(dynamo), id).write(3);
        Await.result(defaultJournal.open(dynamo).deleteTo(id, 3));
        new Akka1Table(local.client(), defaultJournal.tableName()).removeEvent(id, 3);
        save(theirs, id, 3);
        assertThat(load(ours, id)).isEmpty();
    }

    @Test
    void theSecondNameCostsOneQueryAndTheCheckThreeRequestsOnce() {
        CostMeter meter = new CostMeter();
        SnapshotTable table = ours.open(local.open(meter));
        Await.result(table.load(TestEvents.freshId(), SnapshotCriteria.ALL));
        assertThat(meter.take().requests()).isEqualTo(Map.of(Operation.QUERY, 2));
        String id = TestEvents.freshId();
        save(theirs, id, 3);
        meter.take();
        Await.result(table.load(id, SnapshotCriteria.ALL));
        assertThat(meter.take().requests()).isEqualTo(Map.of(Operation.QUERY, 4, Operation.BATCH_GET, 1));
        Await.result(table.load(id, SnapshotCriteria.ALL));
        Await.result(table.save(snapshot(id, 4)));
        assertThat(meter.take().requests()).isEqualTo(Map.of(Operation.QUERY, 2, Operation.PUT, 1));
    }

    @Test
    void itIsSaidOnce() {
        Logger logger = (Logger) LoggerFactory.getLogger("io.dynajournal.internal.layout.akka1.Akka1DefaultName");
        ListAppender<ILoggingEvent> seen = new ListAppender<>();
        seen.start();
        logger.addAppender(seen);
        try {
            SnapshotTable table = open(ours);
            for (int i = 0; i < 3; i++) {
                String id = TestEvents.freshId();
                save(theirs, id, 3);
                Await.result(table.load(id, SnapshotCriteria.ALL));
            }
        } finally {
            logger.detachAppender(seen);
        }
        assertThat(seen.list)
                .singleElement()
                .extracting(ILoggingEvent::getFormattedMessage)
                .asString()
                .contains(theirs.tableName(), "ledger", "journal-name");
    }
}
