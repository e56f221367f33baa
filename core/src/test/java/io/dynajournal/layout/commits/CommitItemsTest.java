package io.dynajournal.layout.commits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynajournal.dynamo.Item;
import io.dynajournal.layout.commits.CommitItems.Entry;
import io.dynajournal.model.Event;
import io.dynajournal.model.EventBatch;
import io.dynajournal.model.Payload;
import io.dynajournal.store.LogEnd;
import io.dynajournal.store.StoreException;
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
        return CommitItems.commit(batch, WRITER, last, now, 16)
                .bytes(CommitItems.EV, CommitFrame.encode(batch.writes()));
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
    void aRejectedNumberIsCoveredBySkip() {
        Item item = commit(5, 2, new LogEnd(3, 700, "other", 0), 1_000);
        Entry entry = CommitItems.entry(item);
        assertThat(entry.seq()).isEqualTo(4);
        assertThat(entry.n()).isEqualTo(3);
        assertThat(entry.skip()).isEqualTo(1);
        assertThat(entry.end()).isEqualTo(6);
        assertThat(item.number("pv")).isEqualTo(700);
        assertThat(item.has("id")).isFalse();
        assertThat(entry.writes(entry.payload()).get(0)).extracting("seqNr").containsExactly(5L, 6L);
    }

    @Test
    void timeRisesEvenWhenTheClockGoesBack() {
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
    void aStubKeepsNumberTimeAndWriter() {
        Item item = commit(1, 3, LogEnd.empty(0), 1_000);
        Entry stub = CommitItems.entry(CommitItems.stub(CommitItems.entry(item)));
        assertThat(stub.isStub()).isTrue();
        assertThat(stub.end()).isEqualTo(3);
        assertThat(stub.ts()).isEqualTo(1_000);
        assertThat(stub.writer()).isEqualTo(WRITER);
        assertThat(stub.item().has("id")).isTrue();
        assertThat(stub.item().has("ev")).isFalse();
        assertThat(stub.item().has("tags")).isFalse();
    }

    @Test
    void ourOwnCommitIsRecognisedAndNothingElse() {
        Entry ours = CommitItems.entry(commit(2, 1, new LogEnd(1, 500, "x", 0), 1_000));
        Entry again = CommitItems.entry(commit(2, 1, new LogEnd(1, 500, "x", 0), 1_000));
        assertThat(again.isOwn(ours)).isTrue();
        assertThat(CommitItems.entry(CommitItems.stub(again)).isOwn(ours)).isTrue();
        assertThat(CommitItems.entry(again.item().copy().number("ts", 999)).isOwn(ours))
                .isFalse();
        assertThat(CommitItems.entry(again.item().copy().number("n", 2)).isOwn(ours))
                .isFalse();
        assertThat(CommitItems.entry(again.item().copy().bytes("w", new byte[16]))
                        .isOwn(ours))
                .isFalse();
        assertThat(CommitItems.entry(again.item().copy().bytes("ev", new byte[] {0x10}))
                        .isOwn(ours))
                .isFalse();
    }

    @Test
    void impossibleItemsAreCorrupt() {
        Item good = commit(2, 1, new LogEnd(1, 500, "x", 0), 1_000);
        assertThatThrownBy(() -> CommitItems.entry(good.copy().number("n", 0)))
                .isInstanceOf(StoreException.CorruptItem.class);
        assertThatThrownBy(() -> CommitItems.entry(good.copy().number("n", Long.MAX_VALUE)))
                .isInstanceOf(StoreException.CorruptItem.class);
        assertThatThrownBy(() -> CommitItems.entry(good.copy().number("skip", 1)))
                .isInstanceOf(StoreException.CorruptItem.class);
        assertThatThrownBy(() -> CommitItems.entry(good.copy().bytes("w", new byte[3])))
                .isInstanceOf(StoreException.CorruptItem.class)
                .hasMessageContaining("3 bytes");
        Entry twoNumbers = CommitItems.entry(good.copy().number("n", 2));
        assertThatThrownBy(() -> twoNumbers.writes(twoNumbers.payload()))
                .isInstanceOf(StoreException.CorruptItem.class)
                .hasMessageContaining("end at 2");
    }

    @Test
    void writersThatAreNoUuidsAreHashed() {
        assertThat(WriterId.of("0b8e5f2c-3c4d-4a5b-8c6d-7e8f90a1b2c3").toString())
                .isEqualTo("0b8e5f2c-3c4d-4a5b-8c6d-7e8f90a1b2c3");
        assertThat(WriterId.of("writer-1")).isEqualTo(WriterId.of("writer-1")).isNotEqualTo(WriterId.of("writer-2"));
        assertThat(WriterId.of("1-1-1-1-1")).isNotEqualTo(WriterId.of("00000001-0001-0001-0001-000000000001"));
        assertThat(WriterId.of(WRITER.bytes())).isEqualTo(WRITER);
    }
}
