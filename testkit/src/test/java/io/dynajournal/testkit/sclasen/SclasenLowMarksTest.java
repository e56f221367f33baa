package io.dynajournal.testkit.sclasen;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.internal.layout.sclasen.SclasenJournal;
import io.dynajournal.internal.store.EventLog;
import io.dynajournal.testkit.CostMeter;
import io.dynajournal.testkit.LocalDynamo;
import io.dynajournal.testkit.LogFixture;
import io.dynajournal.testkit.LogReading;
import io.dynajournal.testkit.TestEvents;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Logs whose first events 0.3 has removed for good: what its low marks save, and what they must not hide. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SclasenLowMarksTest {

    private static final int SHARDS = 7;

    @RegisterExtension
    final LocalDynamo local = new LocalDynamo();

    private final LogFixture fixture =
            LogFixture.create(local, new SclasenJournal(local.freshTable(), "journal", SHARDS, false, false));
    private final SclasenTable table = new SclasenTable(local.client(), fixture.tableName());

    /** Stores these events and a high mark. */
    private String log(long... seqNrs) {
        String id = TestEvents.freshId();
        for (long seqNr : seqNrs) {
            table.putEvent("journal-P-" + id + "-" + seqNr, id, seqNr);
        }
        long last = seqNrs[seqNrs.length - 1];
        table.putMark("journal-SH-" + id + "-" + last % SHARDS, last);
        return id;
    }

    private void deleted(String id, long... seqNrs) {
        for (long seqNr : seqNrs) {
            table.putMark("journal-SL-" + id + "-" + seqNr % SHARDS, seqNr);
        }
    }

    private static long[] upTo(long to) {
        return LongStream.rangeClosed(to - SHARDS + 1, to).toArray();
    }

    private double unitsOfReading(String id, Long... expected) {
        CostMeter meter = new CostMeter();
        EventLog log = fixture.log(meter);
        assertThat(LogReading.numbers(LogReading.all(log, id))).containsExactly(expected);
        return meter.take().reads();
    }

    /** A unit per missing key: the marks, the first hundred, the hundred after the end, and what the low marks leave to check. */
    @Test
    void aFrontThatWasRemovedIsNotReadNumberByNumber() {
        String id = log(5001, 5002, 5150);
        deleted(id, upTo(5000));
        assertThat(unitsOfReading(id, 5001L, 5002L, 5150L)).isLessThan(700);
        String unmarked = log(5001, 5002, 5150);
        assertThat(unitsOfReading(unmarked, 5001L, 5002L, 5150L)).isGreaterThan(5000);
    }

    /** Deletes of single events leave marks with gaps between them. */
    @Test
    void eventsBetweenSingleDeletesAreRead() {
        String id = log(2500, 5001, 5150);
        deleted(id, 4990, 4991, 4992, 4993, 4994, 4995, 5000);
        unitsOfReading(id, 2500L, 5001L, 5150L);
    }

    @Test
    void eventsBeforeTheLowestMarkAreRead() {
        String id = log(4950, 5001, 5150);
        deleted(id, upTo(5000));
        unitsOfReading(id, 4950L, 5001L, 5150L);
    }

    @Test
    void eventsBeforeAnEarlierDeleteAreRead() {
        String id = log(3, 2500, 5001, 5150);
        deleted(id, upTo(5000));
        unitsOfReading(id, 3L, 2500L, 5001L, 5150L);
    }

    @Test
    void aFrontThatWasRemovedIsSkippedAlsoInAReadFromTheMiddle() {
        String id = log(5001, 5150);
        deleted(id, upTo(5000));
        CostMeter meter = new CostMeter();
        EventLog log = fixture.log(meter);
        assertThat(LogReading.numbers(LogReading.read(log, id, LogReading.everythingFrom(1500))))
                .containsExactly(5001L, 5150L);
        assertThat(meter.take().reads()).isLessThan(700);
    }

    @Test
    void marksBeyondTheEndOfTheLogHideNothing() {
        String id = log(400, 401);
        deleted(id, upTo(450));
        unitsOfReading(id, 400L, 401L);
    }

    /** 0.3 also marks what was not written yet when it is asked to delete beyond the end; the entity went on there. */
    @Test
    void eventsWrittenAfterADeleteFarBeyondTheEndAreRead() {
        String id = log(300, 400, 5001);
        deleted(id, upTo(9000));
        unitsOfReading(id, 300L, 400L, 5001L);
    }
}
