package io.dynajournal.internal.layout.commits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.dynamo.Item;
import io.dynajournal.internal.layout.commits.CommitItems.Entry;
import io.dynajournal.internal.model.Event;
import io.dynajournal.internal.model.EventBatch;
import io.dynajournal.internal.model.Payload;
import io.dynajournal.internal.store.LogEnd;
import io.dynajournal.internal.wire.Frame;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

final class CommitItemsTest {

    private static final WriterId WRITER = WriterId.of("0b8e5f2c-3c4d-4a5b-8c6d-7e8f90a1b2c3");
    private static final Event EVENT = new Event(new Payload(1, "m", new byte[200]), "", Set.of("red", "blue"), null);

    private static Item commit(long first, int events, LogEnd last, long now) {
        EventBatch batch =
                EventBatch.of("cart|1", WRITER.toString(), first, java.util.Collections.nCopies(events, EVENT));
        Item head = CommitItems.commit(batch, WRITER, last, now, 16);
        return head.bytes(
                CommitItems.EVENTS, Frame.seal(CommitFrame.encode(batch.writes()), CommitItems.covered(head)));
    }

    @Test
    void theFirstCommitOfAnIdIsListedAndHasNoPredecessor() {
        Item item = commit(1, 1, LogEnd.empty(0), 1_000);
        assertThat(item.attributes().keySet())
                .containsExactlyInAnyOrder("pid", "seq", "ts", "w", "ix", "id", "tags", "ev");
        assertThat(item.number("seq")).isEqualTo(1);
        assertThat(item.text("ix")).isEqualTo("cart#16#" + Math.abs("cart|1".hashCode() % 1024) / 64);
        assertThat(item.text("id")).isEqualTo(Integer.toHexString(Math.abs("cart|1".hashCode() % 1024) / 64));
        assertThat(item.attributes()).containsEntry("tags", AttributeValue.fromSs(List.of("blue", "red")));
    }

    @Test
    void aRejectedSequenceNumberIsCoveredAsSkipped() {
        Item item = commit(5, 2, new LogEnd(3, 700, "other", 0), 1_000);
        Entry entry = CommitItems.entry("t", item);
        assertThat(entry.key()).isEqualTo(4);
        assertThat(entry.count()).isEqualTo(3);
        assertThat(entry.skipped()).isEqualTo(1);
        assertThat(entry.end()).isEqualTo(6);
        assertThat(item.number("pv")).isEqualTo(700);
        assertThat(item.has("id")).isFalse();
        assertThat(entry.writes(entry.payload()).get(0)).extracting("seqNr").containsExactly(5L, 6L);
    }

    @Test
    void timestampsIncreaseEvenWhenTheClockGoesBack() {
        assertThat(commit(4, 1, new LogEnd(3, 700, "other", 0), 600).number("ts"))
                .isEqualTo(701);
        assertThat(commit(4, 1, new LogEnd(3, 700, "other", 0), 700).number("ts"))
                .isEqualTo(701);
        assertThat(commit(4, 1, new LogEnd(3, 700, "other", 0), 900).number("ts"))
                .isEqualTo(900);
    }

    @Test
    void payloadsAreProjectedOnlyWhileTheIndexRowIsSmall() {
        Item head = CommitItems.commit(
                EventBatch.of("cart|1", WRITER.toString(), 2, List.of(EVENT)), WRITER, new LogEnd(1, 5, "x", 0), 9, 16);
        int room = 1024 - head.size() - 2;
        assertThat(CommitItems.payloadName(head, room)).isEqualTo("ev");
        assertThat(CommitItems.payloadName(head, room + 1)).isEqualTo("body");
    }

    @Test
    void aTombstoneKeepsSequenceNumbersTimestampAndWriter() {
        Item item = commit(1, 3, LogEnd.empty(0), 1_000);
        Entry tombstone = CommitItems.entry("t", CommitItems.tombstone(CommitItems.entry("t", item)));
        assertThat(tombstone.isTombstone()).isTrue();
        assertThat(tombstone.end()).isEqualTo(3);
        assertThat(tombstone.timestampMicros()).isEqualTo(1_000);
        assertThat(tombstone.writer()).isEqualTo(WRITER);
        assertThat(tombstone.item().has("id")).isTrue();
        assertThat(tombstone.item().has("ev")).isFalse();
        assertThat(tombstone.item().has("tags")).isFalse();
    }

    @Test
    void ourOwnCommitIsRecognisedAndNothingElse() {
        Entry ours = CommitItems.entry("t", commit(2, 1, new LogEnd(1, 500, "x", 0), 1_000));
        Entry again = CommitItems.entry("t", commit(2, 1, new LogEnd(1, 500, "x", 0), 1_000));
        assertThat(again.isOwn(ours)).isTrue();
        assertThat(CommitItems.entry("t", CommitItems.tombstone(again)).isOwn(ours))
                .isTrue();
        assertThat(CommitItems.entry("t", again.item().copy().number("ts", 999)).isOwn(ours))
                .isFalse();
        assertThat(CommitItems.entry("t", again.item().copy().number("n", 2)).isOwn(ours))
                .isFalse();
        assertThat(CommitItems.entry("t", again.item().copy().bytes("w", new byte[16]))
                        .isOwn(ours))
                .isFalse();
        assertThat(CommitItems.entry("t", again.item().copy().bytes("ev", new byte[] {0x10}))
                        .isOwn(ours))
                .isFalse();
    }

    @Test
    void impossibleItemsAreCorrupt() {
        Item good = commit(2, 1, new LogEnd(1, 500, "x", 0), 1_000);
        assertThatThrownBy(() -> CommitItems.entry("t", good.copy().number("n", 0)))
                .isInstanceOf(StoreException.CorruptItem.class);
        assertThatThrownBy(() -> CommitItems.entry("t", good.copy().number("n", Long.MAX_VALUE)))
                .isInstanceOf(StoreException.CorruptItem.class);
        assertThatThrownBy(() -> CommitItems.entry("t", good.copy().number("skip", 1)))
                .isInstanceOf(StoreException.CorruptItem.class);
        assertThatThrownBy(() -> CommitItems.entry("t", good.copy().bytes("w", new byte[3])))
                .isInstanceOf(StoreException.CorruptItem.class)
                .hasMessageStartingWith(
                        "Attribute w has 3 bytes (expected 16) in the item [pid=cart|1, seq=2] of table t")
                .hasMessageEndingWith("Nothing was changed. Restore the item from a backup. [runbook#corruptitem]");
        byte[] versionOne = {0x10, 0x12, 0};
        Entry twoSeqNrs = CommitItems.entry("t", good.copy().number("n", 2).bytes(CommitItems.EVENTS, versionOne));
        assertThatThrownBy(() -> twoSeqNrs.writes(twoSeqNrs.payload()))
                .isInstanceOf(StoreException.CorruptItem.class)
                .hasMessageContaining("but the events end at 2 instead of 3");
    }

    @Test
    void aMarkOfADeleteOutsideItsCommitIsCorrupt() {
        Item good = commit(2, 3, new LogEnd(1, 500, "x", 0), 1_000);
        assertThat(CommitItems.entry("t", good.copy().number("lo", 4)).lowestSeqNr())
                .isEqualTo(4);
        for (long lowest : new long[] {-1, 1, 2, 5}) {
            assertThatThrownBy(() -> CommitItems.entry("t", good.copy().number("lo", lowest)))
                    .isInstanceOf(StoreException.CorruptItem.class)
                    .hasMessageContaining("Attribute lo is " + lowest + " (expected 3 to 4)");
        }
    }

    @Test
    void eventsWithoutAnIndexPartitionAreNoTombstone() {
        Item withoutPartition = commit(2, 1, new LogEnd(1, 500, "x", 0), 1_000);
        withoutPartition.attributes().remove("ix");
        assertThatThrownBy(() -> CommitItems.entry("t", withoutPartition))
                .isInstanceOf(StoreException.CorruptItem.class)
                .hasMessageContaining("Attribute ix is missing");
    }

    @Test
    void writersThatAreNoUuidsAreHashed() {
        assertThat(WriterId.of("0b8e5f2c-3c4d-4a5b-8c6d-7e8f90a1b2c3").toString())
                .isEqualTo("0b8e5f2c-3c4d-4a5b-8c6d-7e8f90a1b2c3");
        assertThat(WriterId.of("writer-1")).isEqualTo(WriterId.of("writer-1")).isNotEqualTo(WriterId.of("writer-2"));
        assertThat(WriterId.of("1-1-1-1-1")).isNotEqualTo(WriterId.of("00000001-0001-0001-0001-000000000001"));
        assertThat(WriterId.in(Item.create().bytes("w", WRITER.bytes()), "w")).isEqualTo(WRITER);
    }
}
