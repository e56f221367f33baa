package io.dynajournal.testkit.sclasen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.dynamo.Item;
import io.dynajournal.internal.envelope.PersistentMessage;
import io.dynajournal.internal.layout.LayoutSettings;
import io.dynajournal.internal.layout.sclasen.SclasenJournal;
import io.dynajournal.internal.model.Event;
import io.dynajournal.internal.model.Payload;
import io.dynajournal.internal.model.StoredEvent;
import io.dynajournal.internal.store.EventLog;
import io.dynajournal.internal.store.PageToken;
import io.dynajournal.internal.store.PersistenceIds;
import io.dynajournal.listener.RequestListener;
import io.dynajournal.testkit.Await;
import io.dynajournal.testkit.LocalDynamo;
import io.dynajournal.testkit.LogReading;
import io.dynajournal.testkit.LogWriter;
import io.dynajournal.testkit.TestEvents;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The format of 0.3, read and written. There are no golden items, because its jar is not available: payloads are bytes that
 * Akka 2.3.4's serializer wrote, keys are those of the documentation.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SclasenFormatTest {

    /** "hello-2.3" by Akka 2.3.4, sequence number 42 of proc-1. */
    private static final byte[] PLAIN =
            Base64.getDecoder().decode("ChQIARIQrO0ABXQACWhlbGxvLTIuMxAqGgZwcm9jLTEgADAAQAA=");

    /** "conf", sequence number 43 of proc-1: deleted, confirmable, with the fields of Akka 2.3's channels. */
    private static final byte[] CONFIRMABLE = Base64.getDecoder()
            .decode("Cg8IARILrO0ABXQABGNvbmYQKxoGcHJvYy0xIAEwAkABSiwKBnByb2MtMRIGY2hhbi0xGCsgByoWYWtrYTovL2VuYy9kZWFk"
                    + "TGV0dGVyc1IWYWtrYTovL2VuYy9kZWFkTGV0dGVyc1oWYWtrYTovL2VuYy9kZWFkTGV0dGVycw==");

    @RegisterExtension
    final LocalDynamo local = new LocalDynamo();

    private SclasenTable table = new SclasenTable(local.client(), "none");

    private static SclasenJournal settings(String tableName, String... keysAndValues) {
        Map<String, String> values = new HashMap<>(Map.of("journal-table", tableName));
        for (int i = 0; i < keysAndValues.length; i += 2) {
            values.put(keysAndValues[i], keysAndValues[i + 1]);
        }
        return SclasenJournal.of(new LayoutSettings(values));
    }

    private SclasenJournal fresh(String... keysAndValues) {
        SclasenJournal journal = settings(local.freshTable(), keysAndValues);
        local.create(journal.table());
        table = new SclasenTable(local.client(), journal.tableName());
        return journal;
    }

    private EventLog open(SclasenJournal journal) {
        return journal.open(local.open(RequestListener.NONE));
    }

    private List<String> ids(SclasenJournal journal) {
        PersistenceIds ids = journal.ids(local.open(RequestListener.NONE));
        List<String> found = new ArrayList<>();
        @Nullable PageToken next = null;
        do {
            PersistenceIds.IdPage page = Await.result(ids.read(next));
            found.addAll(page.ids());
            next = page.next();
        } while (next != null);
        return found;
    }

    private static AttributeValue text(String text) {
        return AttributeValue.fromS(text);
    }

    private static List<Long> numbers(EventLog log, String id) {
        return LogReading.numbers(LogReading.all(log, id));
    }

    @Test
    void payloadsOfAkka23AreRead() {
        EventLog log = open(fresh());
        table.putEvent("journal-P-proc-1-42", PLAIN);
        table.putMark("journal-SH-proc-1-42", 42);
        // The attribute overrides the field of the message.
        table.putEvent("journal-P-proc-1-43", CONFIRMABLE);
        table.putMark("journal-SH-proc-1-43", 43);
        List<StoredEvent> events = LogReading.all(log, "proc-1");
        assertThat(LogReading.numbers(events)).containsExactly(42L, 43L);
        assertThat(events.get(0).event().payload())
                .isEqualTo(new Payload(1, "", Base64.getDecoder().decode("rO0ABXQACWhlbGxvLTIuMw==")));
        assertThat(events.get(1).event().payload().bytes())
                .isEqualTo(Base64.getDecoder().decode("rO0ABXQABGNvbmY="));
        assertThat(events).allSatisfy(event -> {
            assertThat(event.writer()).isEmpty();
            assertThat(event.timestampMicros()).isZero();
            assertThat(event.event().adapterManifest()).isEmpty();
        });
        assertThat(LogReading.highest(log, "proc-1")).isEqualTo(43);
    }

    @Test
    void deletedIsAStringAndOverridesTheMessage() {
        EventLog log = open(fresh());
        table.put(
                "journal-P-p-1",
                Map.of("payload", AttributeValue.fromB(SdkBytes.fromByteArray(PLAIN)), "deleted", text("true")));
        table.putEvent("journal-P-p-2", "p", 2);
        // Without the attribute, the field of the message counts.
        table.put("journal-P-p-3", Map.of("payload", AttributeValue.fromB(SdkBytes.fromByteArray(CONFIRMABLE))));
        table.put("journal-P-p-4", Map.of("payload", AttributeValue.fromB(SdkBytes.fromByteArray(PLAIN))));
        table.putMark("journal-SH-p-4", 4);
        assertThat(numbers(log, "p")).containsExactly(2L, 4L);
        assertThat(LogReading.highest(log, "p")).isEqualTo(4);
    }

    @Test
    void itemsWithoutPayloadAreNoEventsAndBlockNoWriter() {
        EventLog log = open(fresh());
        table.putEvent("journal-P-p-1", "p", 1);
        table.put("journal-P-p-2", Map.of("deleted", text("true")));
        table.put("journal-P-p-3", Map.of("confirmations", AttributeValue.fromSs(List.of("channel"))));
        table.putMark("journal-SH-p-1", 1);
        assertThat(numbers(log, "p")).containsExactly(1L);
        assertThat(LogReading.highest(log, "p")).isEqualTo(1);
        LogWriter.recover(log, "p").write(1).write(2);
        assertThat(numbers(log, "p")).containsExactly(1L, 2L, 3L, 4L);
        assertThat(LogReading.highest(log, "p")).isEqualTo(4);
    }

    @Test
    void marksAboveShardNineAreFoundWithoutNamingTheShards() {
        EventLog log = open(fresh());
        // As reported by users: all events but one were removed.
        table.putEvent("journal-P-p-16-4992", "p-16", 4992);
        table.putMark("journal-SH-p-16-995", 4995);
        table.putMark("journal-SH-p-16-3", 4003);
        assertThat(LogReading.highest(log, "p-16")).isEqualTo(4995);
        assertThat(numbers(log, "p-16")).containsExactly(4992L);
        LogWriter.recover(log, "p-16").write(1);
        assertThat(table.get("journal-P-p-16-4996")).isNotNull();
        assertThat(table.get("journal-SH-p-16-996")).containsEntry("sequenceNr", AttributeValue.fromN("4996"));
    }

    @Test
    void keysMayLackTheJournalName() {
        SclasenJournal journal = fresh("journal-name", "");
        EventLog log = open(journal);
        table.putEvent("P-old-1-1", "old-1", 1);
        table.putEvent("P-old-1-2", "old-1", 2);
        table.putMark("SH-old-1-2", 2);
        assertThat(numbers(log, "old-1")).containsExactly(1L, 2L);
        LogWriter.recover(log, "old-1").write(1);
        Await.result(log.deleteTo("old-1", 1));
        assertThat(table.items().keySet())
                .containsExactlyInAnyOrder(
                        "P-old-1-1", "P-old-1-2", "P-old-1-3", "SH-old-1-0", "SH-old-1-2", "SH-old-1-3", "SL-old-1-1");
        assertThat(ids(journal)).containsExactly("old-1");
    }

    @Test
    void twoJournalsShareATable() {
        SclasenJournal one = fresh("journal-name", "one", "sequence-shards", "7");
        SclasenJournal two = settings(one.tableName(), "journal-name", "two", "sequence-shards", "7");
        LogWriter.recover(open(one), "a").write(3);
        LogWriter.recover(open(two), "a").write(1);
        LogWriter.recover(open(two), "b").write(1);
        Await.result(open(one).deleteTo("a", 2));
        assertThat(numbers(open(one), "a")).containsExactly(3L);
        assertThat(numbers(open(two), "a")).containsExactly(1L);
        assertThat(ids(one)).containsExactly("a");
        assertThat(ids(two)).containsExactlyInAnyOrder("a", "b");
    }

    @Test
    void persistenceIdsWithHyphensAndDigitsStayDistinct() {
        SclasenJournal journal = fresh("sequence-shards", "3");
        EventLog log = open(journal);
        List<String> odd = List.of("a", "a-1", "a-1-1", "a-", "-", "", "SH-a", "P-a", "1", "ü-購");
        for (String id : odd) {
            LogWriter.recover(log, id).write(12).write(1);
        }
        for (String id : odd) {
            assertThat(LogReading.all(log, id))
                    .hasSize(13)
                    .allSatisfy(event -> assertThat(event.persistenceId()).isEqualTo(id));
        }
        assertThat(ids(journal)).containsExactlyInAnyOrderElementsOf(odd);
    }

    @Test
    void persistenceIdsAreListedOnceOverAllPages() {
        SclasenJournal journal = fresh("sequence-shards", "1");
        EventLog log = open(journal);
        for (String id : List.of("a-1", "b-1")) {
            LogWriter.recover(log, id).write(TestEvents.events(8, 200_000));
        }
        table.put("journal-P-stub-1", Map.of("deleted", text("true")));
        assertThat(ids(journal)).containsExactlyInAnyOrder("a-1", "b-1");
    }

    @Test
    void ourItemsHaveTheirAttributes() {
        EventLog log = open(fresh());
        LogWriter writer = LogWriter.recover(log, "p-16");
        Event event = new Event(new Payload(9, "m", new byte[] {1, 2}), "adapter", Set.of(), null);
        writer.write(List.of(event));
        Map<String, AttributeValue> item = Objects.requireNonNull(table.get("journal-P-p-16-1"));
        assertThat(item).containsOnlyKeys("key", "payload", "deleted").containsEntry("deleted", text("false"));
        PersistentMessage message = PersistentMessage.decode(Item.of(item).bytes("payload"));
        assertThat(message.payload()).isEqualTo(event.payload());
        assertThat(message.seqNr()).isEqualTo(1);
        assertThat(message.persistenceId()).isEqualTo("p-16");
        assertThat(message.deleted()).isFalse();
        assertThat(message.manifest()).isEqualTo("adapter");
        assertThat(message.writerUuid()).isEqualTo(writer.uuid());
        assertThat(table.get("journal-SH-p-16-1"))
                .isEqualTo(Map.of("key", text("journal-SH-p-16-1"), "sequenceNr", AttributeValue.fromN("1")));

        writer.write(2);
        assertThat(table.get("journal-P-p-16-3"))
                .containsEntry("idx", AttributeValue.fromN("1"))
                .containsEntry("cnt", AttributeValue.fromN("2"))
                .containsEntry("deleted", text("false"));
        assertThat(table.get("journal-SH-p-16-3")).containsEntry("sequenceNr", AttributeValue.fromN("3"));
        assertThat(table.items()).hasSize(5);
    }

    @Test
    void aDeleteMarksAndKeepsPayloadAndConfirmations() {
        EventLog log = open(fresh());
        byte[] payload = SclasenTable.message("p", 1);
        table.put(
                "journal-P-p-1",
                Map.of(
                        "payload",
                        AttributeValue.fromB(SdkBytes.fromByteArray(payload)),
                        "deleted",
                        text("false"),
                        "confirmations",
                        AttributeValue.fromSs(List.of("channel-1", "channel-2"))));
        table.putEvent("journal-P-p-2", "p", 2);
        table.putMark("journal-SH-p-2", 2);
        Await.result(log.deleteTo("p", 1));
        assertThat(table.get("journal-P-p-1"))
                .containsEntry("deleted", text("true"))
                .containsEntry("confirmations", AttributeValue.fromSs(List.of("channel-1", "channel-2")))
                .containsEntry("payload", AttributeValue.fromB(SdkBytes.fromByteArray(payload)));
        assertThat(table.get("journal-P-p-2")).containsEntry("deleted", text("false"));
        assertThat(table.get("journal-SL-p-1"))
                .isEqualTo(Map.of("key", text("journal-SL-p-1"), "sequenceNr", AttributeValue.fromN("1")));
        // 0.3 reads a mark of 0 as no mark.
        assertThat(table.get("journal-SH-p-0")).containsEntry("sequenceNr", AttributeValue.fromN("0"));
        assertThat(numbers(log, "p")).containsExactly(2L);
    }

    @Test
    void theMarkOfShardZeroKeepsDeletedTo() {
        EventLog log = open(fresh("sequence-shards", "4"));
        LogWriter writer = LogWriter.recover(log, "p").write(3);
        Await.result(log.deleteTo("p", 2));
        writer.write(1).write(4);
        assertThat(table.get("journal-SH-p-0"))
                .containsEntry("sequenceNr", AttributeValue.fromN("8"))
                .containsEntry("deletedTo", AttributeValue.fromN("2"));
        // A node of 0.3 overwrites it: the deleted attributes of the events still count.
        table.putMark("journal-SH-p-0", 8);
        assertThat(numbers(log, "p")).containsExactly(3L, 4L, 5L, 6L, 7L, 8L);
    }

    @Test
    void permanentDeletesRemoveItems() {
        EventLog log = open(fresh("permanent-deletes", "on", "sequence-shards", "7"));
        LogWriter writer = LogWriter.recover(log, "p").write(60);
        LogWriter stale = LogWriter.recover(log, "p");
        writer.write(2);
        Await.result(log.deleteTo("p", Long.MAX_VALUE));
        // The first one stays marked for a day, because its writer took over there.
        assertThat(table.items().keySet().stream().filter(key -> key.startsWith("journal-P-")))
                .containsExactly("journal-P-p-1");
        assertThat(LogReading.all(log, "p")).isEmpty();
        assertThat(LogReading.highest(log, "p")).isEqualTo(62);
        // Its sequence number is free again, but the log is deleted beyond it.
        StoreException.WriteConflict conflict =
                Await.failure(stale.send(stale.next(TestEvents.events(1, 20))), StoreException.WriteConflict.class);
        assertThat(conflict).hasMessageContaining("61").hasMessageContaining("62");
        assertThat(table.get("journal-P-p-61")).isNull();
        assertThat(LogReading.all(log, "p")).isEmpty();
        writer.write(1);
        assertThat(numbers(log, "p")).containsExactly(63L);
    }

    @Test
    void keysHaveAsciiDigitsInEveryLocale() {
        Locale before = Locale.getDefault();
        Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
        try {
            EventLog log = open(fresh("sequence-shards", "7"));
            LogWriter.recover(log, "p").write(10);
            assertThat(table.items()).containsKeys("journal-P-p-10", "journal-SH-p-3");
            assertThat(numbers(log, "p"))
                    .isEqualTo(LongStream.rangeClosed(1, 10).boxed().toList());
        } finally {
            Locale.setDefault(before);
        }
    }

    @Test
    void aPayloadThatIsNoMessageIsACorruptItem() {
        EventLog log = open(fresh("sequence-shards", "7"));
        table.putEvent("journal-P-p-1", new byte[] {10, 99});
        table.putMark("journal-SH-p-1", 1);
        assertThat(Await.failure(log.head("p", 1), StoreException.CorruptItem.class))
                .hasMessageContaining("payload")
                .hasMessageContaining("journal-P-p-1");
    }

    @Test
    void theSettingsOfThePredecessorAreRead() {
        SclasenJournal defaults = settings("t");
        assertThat(defaults).isEqualTo(new SclasenJournal("t", "journal", 1000, false, false));
        LayoutSettings known = new LayoutSettings(Map.of("journal-table", "t", "spray", "x"));
        SclasenJournal.of(known);
        assertThat(known.unread()).containsExactly("spray");
        assertThatThrownBy(() -> SclasenJournal.of(new LayoutSettings(Map.of())))
                .hasMessageContaining("journal-table");
        assertThatThrownBy(() -> settings("t", "sequence-shards", "0")).hasMessageContaining("sequence-shards");
        assertThat(defaults.table().hash().name()).isEqualTo("key");
        assertThat(defaults.table().range()).isNull();
    }
}
