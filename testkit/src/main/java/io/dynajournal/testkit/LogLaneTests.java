package io.dynajournal.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.internal.model.EventBatch;
import io.dynajournal.internal.store.EventLog;
import io.dynajournal.listener.Lane;
import org.junit.jupiter.api.Test;

/** Every request is in the lane of what waits for it: a write never waits for something it needs in a later lane. */
interface LogLaneTests extends LogTests {

    @Test
    default void allRequestsOfAnOperationAreInItsLane() {
        String id = TestEvents.freshId();
        SeenLanes lanes = new SeenLanes();
        EventLog log = fixture().log(lanes);
        LogWriter writer = LogWriter.recover(log, id);
        assertThat(lanes.take()).containsExactly(Lane.RECOVERY);

        writer.writeSingles(2).write(writeCount(20));
        assertThat(lanes.take()).containsExactly(Lane.WRITE);

        // Without a view of the log's end, in a process that has not written before.
        EventLog other = fixture().log(lanes);
        long last = writer.seen().seqNr();
        Await.result(
                other.append(EventBatch.of(id, TestEvents.freshWriter(), last + 1, TestEvents.events(2, 20)), null));
        assertThat(lanes.take()).containsExactly(Lane.WRITE);

        LogReading.all(log, id);
        assertThat(lanes.take()).containsExactly(Lane.RECOVERY);

        LogReading.all(fixture().log(fixture().local().open(lanes).in(Lane.QUERY)), id);
        assertThat(lanes.take()).as("of a query").containsExactly(Lane.QUERY);

        Await.result(log.deleteTo(id, 2));
        Await.result(log.deleteTo(id, last));
        assertThat(lanes.take()).containsExactly(Lane.MAINTENANCE);
        Await.result(log.reset(id));
        assertThat(lanes.take()).containsExactly(Lane.MAINTENANCE);
    }
}
