package io.dynajournal.testkit.akka1;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.dynamo.Item;
import io.dynajournal.internal.layout.LayoutSettings;
import io.dynajournal.internal.layout.akka1.Akka1EventFormat;
import io.dynajournal.internal.layout.akka1.Akka1Journal;
import io.dynajournal.internal.layout.akka1.Akka1Snapshots;
import io.dynajournal.internal.model.Event;
import io.dynajournal.internal.model.EventBatch;
import io.dynajournal.internal.model.Payload;
import io.dynajournal.internal.model.SnapshotCriteria;
import io.dynajournal.internal.model.StoredSnapshot;
import io.dynajournal.internal.store.EventLog;
import io.dynajournal.internal.store.LogEnd;
import io.dynajournal.internal.store.SnapshotTable;
import io.dynajournal.listener.Operation;
import io.dynajournal.listener.RequestListener;
import io.dynajournal.testkit.Await;
import io.dynajournal.testkit.CostMeter;
import io.dynajournal.testkit.ErrorAnswer;
import io.dynajournal.testkit.FaultProxy;
import io.dynajournal.testkit.LocalDynamo;
import io.dynajournal.testkit.LogReading;
import io.dynajournal.testkit.LogWriter;
import io.dynajournal.testkit.RequestMatch;
import io.dynajournal.testkit.TestEvents;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.LoggerFactory;

/** Both forms of events and snapshots that versions of 1.x write, and how one is chosen. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class Akka1EventFormatTest {

    /** What the message serializer of Akka 2.6.21 makes of the event of {@link #golden}. */
    private static final String GOLDEN_MESSAGE = "0a070814120361626310071a057069642d3162036d616e6a06772d75756964";

    @RegisterExtension
    final LocalDynamo local = new LocalDynamo();

    private Akka1Journal journal() {
        Akka1Journal journal = Akka1Journal.of(local.freshTable());
        local.create(journal.table());
        return journal;
    }

    private EventLog open(Akka1Journal journal) {
        return journal.open(local.open(RequestListener.NONE));
    }

    private Akka1Table table(Akka1Journal journal) {
        return new Akka1Table(local.client(), journal.tableName());
    }

    private static List<Event> golden() {
        return List.of(new Event(new Payload(20, "", "abc".getBytes(StandardCharsets.UTF_8)), "man", Set.of(), null));
    }

    /** An event of 1.0 in its own item. */
    private void writeOld(Akka1Journal journal) {
        EventLog old = open(journal.withEventFormat(Akka1EventFormat.PAY));
        LogWriter.recover(old, TestEvents.freshId()).write(1);
    }

    private void writeNew(Akka1Journal journal) {
        EventLog recent = open(journal.withEventFormat(Akka1EventFormat.EVENT));
        LogWriter.recover(recent, TestEvents.freshId()).write(1);
    }

    /** The attributes of the first event that a new process writes. */
    private Set<String> attributesOfNewEvent(Akka1Journal journal) {
        String id = TestEvents.freshId();
        LogWriter.recover(open(journal), id).write(1);
        return attributes(table(journal).event(id, 1).orElseThrow());
    }

    private static Set<String> attributes(Item item) {
        return item.attributes().keySet();
    }

    @Test
    void anEventOfTheOldFormIsThePredecessorsItem() {
        Akka1Journal journal = journal().withEventFormat(Akka1EventFormat.PAY);
        LogEnd before = new LogEnd(6, 0, "", System.currentTimeMillis());
        Await.result(open(journal).append(EventBatch.of("pid-1", "w-uuid", 7, golden()), before));
        Item item = table(journal).event("pid-1", 7).orElseThrow();
        assertThat(attributes(item)).containsExactlyInAnyOrder("par", "num", "pay");
        assertThat(HexFormat.of().formatHex(item.bytes("pay"))).isEqualTo(GOLDEN_MESSAGE);
    }

    @Test
    void anAtomicWriteOfTheOldFormHasItsPositions() {
        Akka1Journal journal = journal().withEventFormat(Akka1EventFormat.PAY);
        String id = TestEvents.freshId();
        LogWriter writer = LogWriter.recover(open(journal), id).write(3);
        for (long seqNr = 1; seqNr <= 3; seqNr++) {
            Item item = table(journal).event(id, seqNr).orElseThrow();
            assertThat(attributes(item)).containsExactlyInAnyOrder("par", "num", "pay", "idx", "cnt");
            assertThat(item.number("idx")).isEqualTo(seqNr - 1);
            assertThat(item.number("cnt")).isEqualTo(2);
        }
        assertThat(LogReading.contents(LogReading.all(open(journal), id))).isEqualTo(writer.written());
    }

    @Test
    void aTableOfOldItemsIsContinuedInTheOldForm() {
        Akka1Journal journal = journal();
        writeOld(journal);
        assertThat(attributesOfNewEvent(journal)).contains("pay").doesNotContain("event");
        assertThat(attributesOfNewEvent(journal.withEventFormat(Akka1EventFormat.EVENT)))
                .contains("event")
                .doesNotContain("pay");
        // Now one item of the newer form exists: no node of 1.0 or 1.1 reads this table.
        assertThat(attributesOfNewEvent(journal)).contains("event").doesNotContain("pay");
    }

    @Test
    void anEmptyTableAndOneOfBothFormsGetTheNewerForm() {
        assertThat(attributesOfNewEvent(journal())).contains("event").doesNotContain("pay");
        Akka1Journal mixed = journal();
        writeOld(mixed);
        writeNew(mixed);
        assertThat(attributesOfNewEvent(mixed)).contains("event").doesNotContain("pay");
    }

    /** Other journals in the table, and the marks of this one, do not count; the scan goes on after a page of them. */
    @Test
    void onlyEventsOfThisJournalCount() {
        Akka1Journal other = journal();
        for (int i = 0; i < 2; i++) {
            LogWriter.recover(open(other.withEventFormat(Akka1EventFormat.EVENT)), TestEvents.freshId())
                    .write(100);
        }
        Akka1Journal mine = Akka1Journal.of(
                new LayoutSettings(Map.of("journal-table", other.tableName(), "journal-name", "journal-P")));
        writeOld(mine);
        String id = TestEvents.freshId();
        LogWriter.recover(open(mine), id).write(1);
        assertThat(attributes(table(mine).item("journal-P-P-" + id + "-0", 1).orElseThrow()))
                .contains("pay")
                .doesNotContain("event");
    }

    /** One scan in the life of a process, and none if the form is configured. */
    @Test
    void theChoiceCostsOneScanAndNoRequestPerWrite() {
        Akka1Journal journal = journal();
        writeOld(journal);
        CostMeter meter = new CostMeter();
        EventLog log = journal.open(local.open(meter));
        LogWriter first = LogWriter.recover(log, TestEvents.freshId());
        LogWriter second = LogWriter.recover(log, TestEvents.freshId());
        meter.take();
        first.write(1);
        assertThat(meter.take().requests())
                .isEqualTo(Map.of(Operation.SCAN, 1, Operation.PUT, 1, Operation.BATCH_GET, 1));
        first.write(1).write(1);
        assertThat(meter.take().requests()).isEqualTo(Map.of(Operation.PUT, 2));
        second.write(1);
        assertThat(meter.take().requests()).isEqualTo(Map.of(Operation.PUT, 1, Operation.BATCH_GET, 1));

        EventLog configured = journal.withEventFormat(Akka1EventFormat.PAY).open(local.open(meter));
        LogWriter third = LogWriter.recover(configured, TestEvents.freshId());
        meter.take();
        third.write(1);
        assertThat(meter.take().requests()).isEqualTo(Map.of(Operation.PUT, 1, Operation.BATCH_GET, 1));
    }

    /** The predecessor needs no permission to scan. */
    @Test
    void withoutThePermissionToScanTheNewerFormIsWritten() {
        Akka1Journal journal = journal();
        writeOld(journal);
        FaultProxy proxy = local.proxy();
        proxy.when(RequestMatch.operation("Scan")).always().answer(ErrorAnswer.of(400, "AccessDeniedException", "No."));
        EventLog log = journal.open(local.open(proxy, LocalDynamo.PATIENT, RequestListener.NONE));
        String id = TestEvents.freshId();
        List<String> lines = logged(() -> LogWriter.recover(log, id).write(1).write(1));
        assertThat(attributes(table(journal).event(id, 1).orElseThrow())).contains("event");
        assertThat(lines).singleElement().asString().contains(journal.tableName(), "event-format", "dynamodb:Scan");
    }

    @Test
    void theChoiceIsLoggedOnce() {
        Akka1Journal journal = journal();
        writeOld(journal);
        EventLog log = open(journal);
        List<String> lines = logged(() -> {
            LogWriter.recover(log, TestEvents.freshId()).write(1).write(1);
            LogWriter.recover(log, TestEvents.freshId()).write(1);
        });
        assertThat(lines)
                .singleElement()
                .asString()
                .contains(journal.tableName(), "\"pay\"", "1.0 or 1.1 only", "event-format");
    }

    private static List<String> logged(Runnable work) {
        Logger logger = (Logger) LoggerFactory.getLogger("io.dynajournal.internal.layout.akka1.Akka1FormatChoice");
        ListAppender<ILoggingEvent> seen = new ListAppender<>();
        seen.start();
        Level before = logger.getLevel();
        logger.setLevel(Level.INFO);
        logger.addAppender(seen);
        try {
            work.run();
        } finally {
            logger.detachAppender(seen);
            logger.setLevel(before);
        }
        return seen.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    /** The writer of such an event is in its message only; a delete leaves the tombstone where it took over all the same. */
    @Test
    void aDeleteOfOldEventsStopsAStaleWriter() {
        Akka1Journal journal = journal().withEventFormat(Akka1EventFormat.PAY);
        String id = TestEvents.freshId();
        LogWriter stale = LogWriter.recover(open(journal), id).write(2);
        LogWriter.recover(open(journal), id).writeSingles(4);
        Await.result(open(journal).deleteTo(id, 5));
        assertThat(table(journal).event(id, 3).orElseThrow().has("dj_keep")).isTrue();
        assertThat(table(journal).event(id, 4)).isEmpty();
        Await.failure(stale.send(stale.next(TestEvents.events(2, 20))), StoreException.WriteConflict.class);
    }

    @Test
    void anOldEventThatCannotBeReadCanBeDeleted() {
        Akka1Journal journal = journal();
        String id = TestEvents.freshId();
        LogWriter.recover(open(journal), id).writeSingles(3);
        table(journal)
                .put(Item.create()
                        .text("par", "journal-P-" + id + "-0")
                        .number("num", 2)
                        .bytes("pay", new byte[] {(byte) 0xff, 1})
                        .attributes());
        Await.result(open(journal).deleteTo(id, 2));
        assertThat(LogReading.numbers(LogReading.all(open(journal), id))).containsExactly(3L);
    }

    private Akka1Snapshots snapshots() {
        Akka1Snapshots layout = Akka1Snapshots.of(local.freshTable());
        local.create(layout.table());
        return layout;
    }

    private static StoredSnapshot snapshot(String id, long seqNr) {
        return new StoredSnapshot(
                id, seqNr, 100 + seqNr, new Payload(20, "", "abc".getBytes(StandardCharsets.UTF_8)), null);
    }

    private Item saved(Akka1Snapshots layout, StoredSnapshot snapshot) {
        SnapshotTable table = layout.open(local.open(RequestListener.NONE));
        Await.result(table.save(snapshot));
        assertThat(Await.result(table.load(snapshot.persistenceId(), SnapshotCriteria.ALL)))
                .contains(snapshot);
        return new Akka1Table(local.client(), layout.tableName())
                .items().stream()
                        .map(Item::of)
                        .filter(item -> item.number("seq") == snapshot.seqNr())
                        .findFirst()
                        .orElseThrow();
    }

    @Test
    void aSnapshotOfTheOldFormIsThePredecessorsItem() {
        Item item = saved(snapshots().withEventFormat(Akka1EventFormat.PAY), snapshot("s", 9));
        assertThat(attributes(item)).containsExactlyInAnyOrder("par", "seq", "ts", "pay");
        assertThat(HexFormat.of().formatHex(item.bytes("pay"))).isEqualTo("0400000014000000616263");
    }

    @Test
    void aTableOfOldSnapshotsIsContinuedInTheOldForm() {
        Akka1Snapshots layout = snapshots();
        assertThat(attributes(saved(layout, snapshot("s", 1)))).contains("pay_data");
        Akka1Snapshots old = snapshots();
        saved(old.withEventFormat(Akka1EventFormat.PAY), snapshot("s", 1));
        assertThat(attributes(saved(old, snapshot("s", 2)))).contains("pay").doesNotContain("pay_data");
        saved(old.withEventFormat(Akka1EventFormat.EVENT), snapshot("s", 3));
        assertThat(attributes(saved(old, snapshot("s", 4))))
                .contains("pay_data")
                .doesNotContain("pay");
    }

    @Test
    void theChoiceForSnapshotsCostsOneScan() {
        CostMeter meter = new CostMeter();
        SnapshotTable table = snapshots().open(local.open(meter));
        Await.result(table.save(snapshot("s", 1)));
        assertThat(meter.take().requests()).isEqualTo(Map.of(Operation.SCAN, 1, Operation.PUT, 1));
        Await.result(table.save(snapshot("s", 2)));
        assertThat(meter.take().requests()).isEqualTo(Map.of(Operation.PUT, 1));
    }

    @Test
    void theSettingHasThreeValues() {
        assertThat(format("")).isNull();
        assertThat(format("auto")).isNull();
        assertThat(format("pay")).isEqualTo(Akka1EventFormat.PAY);
        assertThat(format("event")).isEqualTo(Akka1EventFormat.EVENT);
        assertThatThrownBy(() -> format("paid"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("event-format", "auto, pay, event", "\"paid\"");
    }

    private static @Nullable Akka1EventFormat format(String value) {
        LayoutSettings settings = new LayoutSettings(Map.of("event-format", value));
        assertThat(Akka1Snapshots.of(settings).eventFormat())
                .isEqualTo(Akka1Journal.of(settings).eventFormat());
        return Akka1Journal.of(settings).eventFormat();
    }
}
