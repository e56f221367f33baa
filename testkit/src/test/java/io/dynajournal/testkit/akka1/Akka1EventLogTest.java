package io.dynajournal.testkit.akka1;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.layout.JournalLayout;
import io.dynajournal.internal.layout.akka1.Akka1Journal;
import io.dynajournal.testkit.Await;
import io.dynajournal.testkit.Capabilities;
import io.dynajournal.testkit.Capability;
import io.dynajournal.testkit.ErrorAnswer;
import io.dynajournal.testkit.EventLogContract;
import io.dynajournal.testkit.FaultProxy;
import io.dynajournal.testkit.LogReading;
import io.dynajournal.testkit.LogWriter;
import io.dynajournal.testkit.RequestMatch;
import io.dynajournal.testkit.TestEvents;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The contract for events of the layout akka1. */
class Akka1EventLogTest extends EventLogContract {

    @Override
    public Capabilities capabilities() {
        return Capabilities.ALL
                .without(Capability.TAGS, "events have no attribute for tags")
                .without(Capability.METADATA, "events have no attribute for metadata")
                .without(Capability.TIMES, "events have no attribute for a time")
                .beyond(Capability.ANY_SIZE, 399_700, "an event is one item, of aws-api-limits.max-item-size at most")
                .without(Capability.ONE_REQUEST_PER_WRITE, "an atomic write ends with its last item")
                .without(Capability.GAPS_ARE_DAMAGE, "rejected events leave gaps")
                .without(Capability.LATE_DELETES, "batches that delete items have no conditions");
    }

    @Override
    protected JournalLayout layout(String tableName) {
        return Akka1Journal.of(tableName);
    }

    @Override
    protected JournalLayout layoutWithFatalGaps(String tableName) {
        return Akka1Journal.of(tableName).withFatalGaps();
    }

    @Override
    public void removeItem(String persistenceId, long seqNr) {
        table().removeEvent(persistenceId, seqNr);
    }

    private Akka1Table table() {
        return new Akka1Table(local.client(), fixture().tableName());
    }

    /** The low mark is raised first, so leftovers of a failed delete are hidden; the next delete removes them. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void leftoversOfAFailedDeleteAreHiddenAndRemoved(int writesBeforeTheFailure) {
        String id = TestEvents.freshId();
        LogWriter.recover(fixture().log(), id).write(120);
        FaultProxy proxy = fixture().proxy();
        proxy.when(RequestMatch.writes())
                .after(writesBeforeTheFailure)
                .always()
                .answer(ErrorAnswer.of(400, "AccessDeniedException", "No."));
        Await.failure(fixture().log(proxy).deleteTo(id, 110), StoreException.Refused.class);
        long first = writesBeforeTheFailure == 0 ? 1 : 111;
        assertThat(LogReading.numbers(LogReading.all(fixture().log(), id)))
                .isEqualTo(LongStream.rangeClosed(first, 120).boxed().toList());
        Await.result(fixture().log().deleteTo(id, 110));
        // The tombstone where the writer began stays for a while.
        assertThat(table().event(id, 1).orElseThrow().has("event")).isFalse();
        for (long seqNr = 2; seqNr <= 110; seqNr++) {
            boolean startsPartition = seqNr == 100;
            assertThat(table().event(id, seqNr).filter(item -> !startsPartition || item.has("event")))
                    .as("left behind")
                    .isEmpty();
        }
    }
}
