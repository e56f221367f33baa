package io.dynajournal.testkit.sclasen;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.internal.dynamo.Item;
import io.dynajournal.internal.layout.sclasen.SclasenJournal;
import io.dynajournal.internal.model.Event;
import io.dynajournal.internal.model.Payload;
import io.dynajournal.internal.model.StoredEvent;
import io.dynajournal.internal.store.EventLog;
import io.dynajournal.listener.RequestListener;
import io.dynajournal.testkit.LocalDynamo;
import io.dynajournal.testkit.LogReading;
import io.dynajournal.testkit.LogWriter;
import io.dynajournal.testkit.TestEvents;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Our items and the serializer of Akka 2.3.4, which 0.3 uses for its payloads, read each other's bytes. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SclasenSerializerTest {

    /** Akka's serializer ids for Java serialization and for byte arrays. */
    private static final int JAVA = 1;

    private static final int BYTES = 4;

    @RegisterExtension
    final LocalDynamo local = new LocalDynamo();

    private final SclasenJournal journal = new SclasenJournal(local.freshTable(), "journal", 7, false, false);
    private final SclasenTable table = new SclasenTable(local.client(), journal.tableName());
    private final EventLog log = journal.open(local.open(RequestListener.NONE));
    private final Akka23Serializer akka;

    SclasenSerializerTest() throws IOException {
        this.akka = Akka23Serializer.start();
    }

    @BeforeAll
    void create() {
        local.create(journal.table());
    }

    @AfterAll
    void stop() {
        akka.close();
    }

    private static byte[] java(String text) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(text);
        }
        return bytes.toByteArray();
    }

    @Test
    void payloadsOfAkkaAreRead() throws IOException, ClassNotFoundException {
        String id = "proc|ünï-" + TestEvents.freshId();
        table.putEvent("journal-P-" + id + "-1", akka.serialize("hello-ü", 1, id, false));
        table.putEvent("journal-P-" + id + "-2", akka.serialize(new byte[] {1, 2, 3}, 2, id, false));
        table.putMark("journal-SH-" + id + "-2", 2);

        List<StoredEvent> events = LogReading.all(log, id);
        assertThat(LogReading.numbers(events)).containsExactly(1L, 2L);
        Payload text = events.get(0).event().payload();
        assertThat(text.serializerId()).isEqualTo(JAVA);
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(text.bytes()))) {
            assertThat(in.readObject()).isEqualTo("hello-ü");
        }
        assertThat(events.get(1).event().payload()).isEqualTo(new Payload(BYTES, "", new byte[] {1, 2, 3}));
        assertThat(events).allSatisfy(event -> assertThat(event.writer()).isEmpty());
    }

    @Test
    void messagesMarkedAsDeletedByAkkaAreDeleted() {
        String id = TestEvents.freshId();
        byte[] deleted = akka.serialize("gone", 1, id, true);
        table.put(
                "journal-P-" + id + "-1",
                Item.create().bytes("payload", deleted).attributes());
        table.putEvent("journal-P-" + id + "-2", akka.serialize("there", 2, id, false));
        table.putMark("journal-SH-" + id + "-2", 2);
        assertThat(LogReading.numbers(LogReading.all(log, id))).containsExactly(2L);
    }

    @Test
    void ourPayloadsAreReadByAkka() throws IOException {
        String id = "proc|ünï-" + TestEvents.freshId();
        Event text = new Event(
                new Payload(JAVA, "", java("from-üs")), "adapter", Set.of(), new Payload(JAVA, "", java("metadata")));
        Event bytes = Event.of(new Payload(BYTES, "", "plain".getBytes(StandardCharsets.UTF_8)));
        LogWriter.recover(log, id).write(List.of(text)).write(List.of(bytes));

        assertThat(akka.deserialize(payload(id, 1))).containsExactly("from-üs", "1", id, "false");
        assertThat(akka.deserialize(payload(id, 2))).containsExactly("plain", "2", id, "false");
    }

    private byte[] payload(String id, long seqNr) {
        Map<String, AttributeValue> item = table.items().get("journal-P-" + id + "-" + seqNr);
        return Item.of(Objects.requireNonNull(item)).bytes("payload");
    }
}
