package io.dynajournal.internal.layout.commits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.dynajournal.internal.dynamo.Item;
import io.dynajournal.internal.layout.ItemDamage;
import io.dynajournal.internal.layout.ItemDamage.Outcome;
import io.dynajournal.internal.layout.ItemFuzz.Subject;
import io.dynajournal.internal.layout.commits.CommitItems.Entry;
import io.dynajournal.internal.model.Event;
import io.dynajournal.internal.model.EventBatch;
import io.dynajournal.internal.model.Payload;
import io.dynajournal.internal.model.StateChange;
import io.dynajournal.internal.model.StoredSnapshot;
import io.dynajournal.internal.store.LogEnd;
import io.dynajournal.internal.wire.Frame;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Every small damage to an item of the native layout is found, or does not change what is read. */
final class CommitDamageTest {

    static final String TABLE = "events_7";
    static final String SECRET = "top-secret";
    private static final WriterId WRITER = WriterId.of("0b8e5f2c-3c4d-4a5b-8c6d-7e8f90a1b2c3");
    private static final int MAX_ITEM_BYTES = 399_360;

    private static Payload payload(String text) {
        return new Payload(-17, "manifest", text.getBytes(StandardCharsets.UTF_8));
    }

    private static Item commit(String text) {
        Event event = new Event(payload(text), "adapter", Set.of("red", "blue"), payload("meta"));
        EventBatch batch =
                new EventBatch("cart|1", WRITER.toString(), 6, List.of(List.of(event, event), List.of(event)));
        Item head = CommitItems.commit(batch, WRITER, new LogEnd(4, 700, "other", 0), 1_794_700_800_000_123L, 16);
        PayloadFit fit = PayloadFit.of(
                head,
                CommitFrame.encode(batch.writes()),
                (item, inParts) -> CommitItems.covered(item),
                MAX_ITEM_BYTES,
                true);
        assertThat(fit.inParts()).isFalse();
        return head.bytes(CommitItems.payloadName(head, fit.bytes().length), fit.bytes());
    }

    /** What a reader gets of an item: its events, and what the checks between items use. */
    private static Object decodeCommit(Item item) {
        Entry entry = CommitItems.entry(TABLE, item);
        return List.of(
                entry.key(),
                entry.end(),
                entry.timestampMicros(),
                entry.item().numberOr(CommitItems.PREVIOUS_TIMESTAMP, 0),
                entry.item().texts(CommitItems.TAGS),
                entry.lowestSeqNr(),
                entry.expirySeconds(),
                entry.isTombstone() ? List.of() : entry.writes(entry.payload()));
    }

    private static List<Outcome> decoded(Item item, Function<Item, ?> decoder) {
        return ItemDamage.decoded(TABLE, item, SECRET, decoder);
    }

    @Test
    void damageToACommitIsFoundWhereverItIs() {
        assertThat(ItemDamage.changed(decoded(commit(SECRET), CommitDamageTest::decodeCommit)))
                .isEmpty();
        Item compressed = commit(String.join("", Collections.nCopies(200, SECRET)));
        assertThat(compressed.bytes(CommitItems.EVENTS)[0]).isEqualTo((byte) 0x21);
        assertThat(ItemDamage.changed(decoded(compressed, CommitDamageTest::decodeCommit)))
                .isEmpty();
    }

    /** What deletes and expiry change cannot be covered. A mark outside its commit is found; one inside it is believed. */
    @Test
    void onlyTheMarkOfADeleteAndTheExpiryAreNotCovered() {
        Item item = commit(SECRET).number(CommitItems.LOWEST, 7).number(CommitItems.EXPIRY, 1_900_000_000);
        assertThat(ItemDamage.changed(decoded(item, CommitDamageTest::decodeCommit)))
                .containsExactly(CommitItems.EXPIRY, CommitItems.LOWEST);
    }

    @Test
    void attributesThatAreNotThereAreCoveredToo() {
        Item item = commit(SECRET);
        Entry tagged = CommitItems.entry(TABLE, item.copy().number(CommitItems.SKIPPED, 2));
        assertThat(catchThrowable(() -> tagged.writes(tagged.payload())))
                .hasMessageContaining("Attribute ev cannot be decoded (expected the checksum ")
                .hasMessageContaining(
                        "it covers the frame and the attributes [pid, seq, n, skip, ts, pv, w, ix, tags]");
    }

    private static Item asVersionOne(Item commit) {
        byte[] frame = commit.bytes(CommitItems.EVENTS);
        byte[] versionOne = Arrays.copyOfRange(frame, Frame.HEAD_BYTES - 1, frame.length);
        versionOne[0] = (byte) (0x10 | (frame[0] & 1));
        return commit.copy().bytes(CommitItems.EVENTS, versionOne);
    }

    /** Version 1 had no checksum: damage to it may change what is read, but gives no other error. */
    @Test
    void damageToACommitOfVersionOneGivesNoOtherError() {
        Item item = asVersionOne(commit(SECRET));
        assertThat(decodeCommit(item)).isEqualTo(decodeCommit(commit(SECRET)));
        assertThat(ItemDamage.changed(decoded(item, CommitDamageTest::decodeCommit)))
                .contains(CommitItems.EVENTS);
    }

    /** With valid checksums absent, random bytes reach the decoder and the decompressor. */
    @Test
    void randomDamageToFramesOfVersionOneGivesNoOtherError() {
        for (Item commit : List.of(commit(SECRET), commit(String.join("", Collections.nCopies(200, SECRET))))) {
            Item item = asVersionOne(commit);
            assertThat(ItemDamage.decoded(TABLE, item, ItemDamage.fuzzed(item), SECRET, CommitDamageTest::decodeCommit))
                    .isNotEmpty();
        }
    }

    private static Item snapshot() {
        StoredSnapshot snapshot = new StoredSnapshot("cart|1", 7, 1_794_700_800_000L, payload(SECRET), payload("meta"));
        Item head = SnapshotItems.head(snapshot, 1_794_700_800_000_123L);
        PayloadFit fit = PayloadFit.of(
                head,
                SnapshotItems.frame(snapshot),
                (item, inParts) -> SnapshotItems.covered(item),
                MAX_ITEM_BYTES,
                true);
        return head.bytes(SnapshotItems.BODY, fit.bytes());
    }

    private static Object decodeSnapshot(Item item) {
        return SnapshotItems.snapshot(
                ItemKey.named(TABLE, item), item.in(TABLE, "pid", "seq").bytes(SnapshotItems.BODY));
    }

    @Test
    void damageToASnapshotIsFoundWhereverItIs() {
        assertThat(ItemDamage.changed(decoded(snapshot(), CommitDamageTest::decodeSnapshot)))
                .isEmpty();
    }

    private static Item state() {
        StateChange change = new StateChange("cart|1", 7, payload(SECRET), "tag", Map.of("iban", SECRET));
        Item head = StateItems.head(change, "tag", 1_794_700_800_000_123L, WRITER, 16);
        PayloadFit fit =
                PayloadFit.of(head, StateItems.frame(payload(SECRET)), StateItems::covered, MAX_ITEM_BYTES, true);
        return head.bytes(StateItems.BODY, fit.bytes());
    }

    private static Object decodeState(Item item) {
        Item named = ItemKey.named(TABLE, item);
        return StateItems.isDeleted(named)
                ? StateItems.deleted(named)
                : StateItems.state(named, named.bytes(StateItems.BODY));
    }

    @Test
    void damageToAStateIsFoundWhereverItIs() {
        assertThat(ItemDamage.changed(decoded(state(), CommitDamageTest::decodeState)))
                .isEmpty();
    }

    /** A tombstone of a state has no frame: its attributes are checked for their types alone. */
    @Test
    void aDeletedStateWithAPayloadIsFound() {
        Item state = Item.create()
                .text("pid", "cart|1")
                .number("seq", 0)
                .bytes("body", new byte[1])
                .flag("del", true);
        assertThat(catchThrowable(() -> StateItems.isDeleted(ItemKey.named(TABLE, state))))
                .hasMessageContaining("Attribute del is true, although there is a state");
    }

    /** What a fuzzer damages, and how it is decoded. Only version 1, which had no checksum, lets it in deep. */
    static List<Subject> subjects() {
        Item small = commit(SECRET);
        Item compressed = commit(String.join("", Collections.nCopies(200, SECRET)));
        return List.of(
                new Subject(small, CommitDamageTest::decodeCommit),
                new Subject(compressed, CommitDamageTest::decodeCommit),
                new Subject(asVersionOne(small), CommitDamageTest::decodeCommit),
                new Subject(asVersionOne(compressed), CommitDamageTest::decodeCommit),
                new Subject(snapshot(), CommitDamageTest::decodeSnapshot),
                new Subject(state(), CommitDamageTest::decodeState));
    }
}
