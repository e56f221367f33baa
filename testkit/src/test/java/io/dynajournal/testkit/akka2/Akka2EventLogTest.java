package io.dynajournal.testkit.akka2;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.layout.JournalLayout;
import io.dynajournal.internal.layout.akka2.Akka2Journal;
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

/** The contract for events of the layout akka2. */
class Akka2EventLogTest extends EventLogContract {

    @Override
    public Capabilities capabilities() {
        return Capabilities.ALL
                .without(Capability.ADAPTER_MANIFEST, "events have no attribute for it, and the predecessor drops it")
                .without(
                        Capability.ONE_TIME_PER_WRITE,
                        "the predecessor's queries need a time of its own for each event")
                .beyond(Capability.ANY_SIZE, 409_000, "an event is one item, of 400 KB at most")
                .without(Capability.GAPS_ARE_DAMAGE, "rejected events leave gaps, and so do items that expire")
                .without(Capability.OUTLIVED_WRITERS, "hard deletes leave an item only where the writer changed")
                .without(Capability.LATE_COPIES, "hard deletes leave no item that would stop a copy");
    }

    @Override
    protected JournalLayout layout(String tableName) {
        return Akka2Journal.of(tableName);
    }

    @Override
    protected JournalLayout layoutWithFatalGaps(String tableName) {
        return Akka2Journal.of(tableName).withFatalGaps();
    }

    @Override
    public void removeItem(String persistenceId, long seqNr) {
        RawItems.remove(local.client(), fixture().tableName(), persistenceId, seqNr);
    }

    /** Ten transactions. */
    @Override
    public int largeWriteCount() {
        return 1_000;
    }

    /** One transaction deletes a hundred events, or none of them. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void aFailedDeleteEndsAtATransaction(int writesBeforeTheFailure) {
        String id = TestEvents.freshId();
        LogWriter.recover(fixture().log(), id).write(90).write(90).write(90);
        FaultProxy proxy = fixture().proxy();
        proxy.when(RequestMatch.writes())
                .after(writesBeforeTheFailure)
                .always()
                .answer(ErrorAnswer.of(400, "AccessDeniedException", "No."));
        Await.failure(fixture().log(proxy).deleteTo(id, 268), StoreException.Refused.class);
        assertThat(LogReading.numbers(LogReading.all(fixture().log(), id)))
                .isEqualTo(LongStream.rangeClosed(100L * writesBeforeTheFailure + 1, 270)
                        .boxed()
                        .toList());
    }
}
