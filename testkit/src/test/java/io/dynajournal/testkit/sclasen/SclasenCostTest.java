package io.dynajournal.testkit.sclasen;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.internal.layout.sclasen.SclasenJournal;
import io.dynajournal.internal.model.SeqRange;
import io.dynajournal.internal.store.EventJournal;
import io.dynajournal.internal.store.JournalCaches;
import io.dynajournal.listener.Operation;
import io.dynajournal.testkit.Await;
import io.dynajournal.testkit.Cost;
import io.dynajournal.testkit.CostMeter;
import io.dynajournal.testkit.LocalDynamo;
import io.dynajournal.testkit.LogFixture;
import io.dynajournal.testkit.LogReading;
import io.dynajournal.testkit.LogWriter;
import io.dynajournal.testkit.TestEvents;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What the layout of 0.3 costs, with its default of 1,000 shards: events of 200 bytes, ids of 20 characters. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SclasenCostTest {

    @RegisterExtension
    final LocalDynamo local = new LocalDynamo();

    private final CostMeter meter = new CostMeter();
    private final LogFixture fixture =
            LogFixture.create(local, new SclasenJournal(local.freshTable(), "journal", 1000, false, false));

    private Cost costOfWrite(LogWriter writer, int events) {
        meter.take();
        writer.write(TestEvents.events(events, 200));
        return meter.take();
    }

    /** 0.3: a batch of event and mark, two units. */
    @Test
    void aPersistIsTwoUnits() {
        LogWriter writer = LogWriter.recover(fixture.log(meter), TestEvents.freshId());
        for (int i = 0; i < 3; i++) {
            Cost cost = costOfWrite(writer, 1);
            assertThat(cost.requests()).isEqualTo(Map.of(Operation.PUT, 1, Operation.UPDATE, 1));
            assertThat(cost.writes()).isEqualTo(2);
        }
    }

    /** 0.3: ten events and ten marks, 20 units. Here 1.1 times that, and no reader sees half of it. */
    @Test
    void aPersistAllOfTenIsOneTransactionOfTwentyTwoUnits() {
        Cost cost = costOfWrite(LogWriter.recover(fixture.log(meter), TestEvents.freshId()), 10);
        assertThat(cost.requests()).isEqualTo(Map.of(Operation.TRANSACT, 1));
        assertThat(cost.writes()).isEqualTo(22);
    }

    private Cost costOfRecovery(String persistenceId, int events) {
        EventJournal journal = new EventJournal(fixture.log(meter), JournalCaches.DEFAULTS);
        meter.take();
        assertThat(Await.result(journal.highestSeqNr(persistenceId, 1, new Object())))
                .isEqualTo(events);
        assertThat(LogReading.replay(journal, persistenceId, SeqRange.wholeWrites(1, events, Long.MAX_VALUE)))
                .hasSize(events);
        return meter.take();
    }

    /** Ten requests for the marks and one for what follows them. 0.3 takes twenty. */
    @Test
    void aRecoveryIsARequestPerHundredShardsAndOnePerHundredEvents() {
        Cost ofNewId = costOfRecovery(TestEvents.freshId(), 0);
        assertThat(ofNewId.requests()).isEqualTo(Map.of(Operation.BATCH_GET, 11));
        assertThat(ofNewId.reads()).isEqualTo(1100);
        String id = TestEvents.freshId();
        LogWriter writer = LogWriter.recover(fixture.log(), id);
        for (int i = 0; i < 5; i++) {
            writer.write(50);
        }
        // The last of 250 events is read with what follows it, the first 100 with them, then 100 and 49.
        assertThat(costOfRecovery(id, 250).requests()).isEqualTo(Map.of(Operation.BATCH_GET, 14));
    }

    /** 0.3: an update and a low mark for each event. */
    @Test
    void aDeleteIsAUnitPerEventAndTwoMore() {
        String id = TestEvents.freshId();
        LogWriter.recover(fixture.log(), id).write(20);
        meter.take();
        Await.result(fixture.log(meter).deleteTo(id, 10));
        Cost cost = meter.take();
        assertThat(cost.requests()).isEqualTo(Map.of(Operation.BATCH_GET, 12, Operation.UPDATE, 11, Operation.PUT, 1));
    }
}
