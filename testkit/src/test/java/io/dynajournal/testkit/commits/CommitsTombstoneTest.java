package io.dynajournal.testkit.commits;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.internal.dynamo.ItemSize;
import io.dynajournal.internal.layout.commits.CommitsJournal;
import io.dynajournal.testkit.Await;
import io.dynajournal.testkit.LargestEvent;
import io.dynajournal.testkit.LocalDynamo;
import io.dynajournal.testkit.LogFixture;
import io.dynajournal.testkit.LogReading;
import io.dynajournal.testkit.LogWriter;
import io.dynajournal.testkit.TestEvents;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** What a delete leaves in the table of the native layout. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CommitsTombstoneTest {

    /** On AWS, which DynamoDB Local does not imitate here, an update's limit is this number of bytes below that of a put. */
    private static final int LOWER_LIMIT_OF_UPDATES = 19;

    /** The attribute {@code lo} with its name. */
    private static final int LOWEST_BYTES = 13;

    @RegisterExtension
    final LocalDynamo local = new LocalDynamo();

    private final Duration retention = Duration.ofDays(3);
    private final LogFixture fixture = LogFixture.create(
            local, new CommitsJournal(local.freshTable(), true, true, 16, true, 8192, 100, 3, retention));

    private Map<Long, Map<String, AttributeValue>> items(String id) {
        return new JournalTable(local.client(), fixture.tableName())
                .allItems().stream()
                        .filter(item -> AttributeValue.fromS(id).equals(item.get("pid")))
                        .collect(Collectors.toMap(
                                item -> Long.parseLong(item.getOrDefault("seq", AttributeValue.fromN("0"))
                                        .n()),
                                item -> item,
                                (one, two) -> two,
                                TreeMap::new));
    }

    @Test
    void tombstonesKeepSequenceNumbersWriterAndTimestampAndNothingElse() {
        String id = TestEvents.freshId();
        LogWriter.recover(fixture.log(), id).write(3).write(2);
        Map<Long, Map<String, AttributeValue>> before = items(id);
        Await.result(fixture.log().deleteTo(id, 3));
        Map<Long, Map<String, AttributeValue>> after = items(id);
        assertThat(after.get(1L)).containsOnlyKeys("pid", "seq", "n", "w", "ts", "id");
        assertThat(before.get(1L)).containsAllEntriesOf(after.get(1L));
        assertThat(after.get(4L)).isEqualTo(before.get(4L));
    }

    @Test
    void theHighestAndTheFirstTombstoneDoNotExpire() {
        String id = TestEvents.freshId();
        LogWriter.recover(fixture.log(), id).writeSingles(6);
        Await.result(fixture.log().deleteTo(id, 4));
        assertExpiring(id, 2, 3);
        Await.result(fixture.log().deleteTo(id, 6));
        assertExpiring(id, 2, 3, 4, 5);
    }

    /** A delete inside a commit adds an attribute, and DynamoDB limits the size of an item that is updated, too. */
    @Test
    void aDeleteReachesIntoACommitOfTheMaximumSize() {
        int largest = largestItemSize();
        assertThat(largest).isLessThanOrEqualTo(ItemSize.LIMIT - LOWER_LIMIT_OF_UPDATES - LOWEST_BYTES);
        LogFixture large = LogFixture.create(
                local, new CommitsJournal(local.freshTable(), false, false, 16, true, largest, 100, 3, retention));
        int size = LargestEvent.size(large);
        for (int bytes = size; bytes <= size + 4; bytes++) {
            String id = TestEvents.freshId();
            LogWriter.recover(large.log(), id).write(List.of(TestEvents.event(bytes), TestEvents.compressible(1)));
            Await.result(large.log().deleteTo(id, 1));
            assertThat(LogReading.numbers(LogReading.all(large.log(), id))).containsExactly(2L);
        }
    }

    /** The largest value of the setting. */
    private int largestItemSize() {
        for (int size = ItemSize.LIMIT; ; size--) {
            try {
                return new CommitsJournal("t", false, false, 16, true, size, 100, 3, retention).itemSize();
            } catch (IllegalArgumentException tooLarge) {
                assertThat(tooLarge).hasMessageContaining("item-size");
            }
        }
    }

    private void assertExpiring(String id, long... seqNrs) {
        long earliest = Instant.now().plus(retention).minusSeconds(300).getEpochSecond();
        Map<Long, Long> expiring = items(id).entrySet().stream()
                .filter(item -> item.getValue().containsKey("exp"))
                .collect(Collectors.toMap(
                        Map.Entry::getKey,
                        item -> Long.parseLong(item.getValue()
                                .getOrDefault("exp", AttributeValue.fromN("0"))
                                .n())));
        assertThat(expiring.keySet())
                .containsExactlyInAnyOrderElementsOf(
                        LongStream.of(seqNrs).boxed().toList());
        assertThat(expiring.values()).allMatch(exp -> exp >= earliest && exp <= earliest + 600);
    }
}
