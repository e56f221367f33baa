package io.dynajournal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import akka.actor.ActorSystem;
import akka.actor.Terminated;
import akka.actor.typed.ActorRef;
import akka.actor.typed.javadsl.Adapter;
import akka.persistence.query.NoOffset;
import akka.persistence.state.javadsl.GetObjectResult;
import com.typesafe.config.ConfigFactory;
import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.catalog.Layout;
import io.dynajournal.internal.layout.LayoutSettings;
import io.dynajournal.internal.layout.StateLayout;
import io.dynajournal.internal.model.Payload;
import io.dynajournal.internal.toolkit.PayloadSerde;
import io.dynajournal.state.javadsl.DynajournalDurableStateStore;
import io.dynajournal.testkit.Await;
import io.dynajournal.testkit.LocalDynamo;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** j5ik2o's durable states under its own settings, on rows as its documentation shows them. */
final class J5StateTest {

    private static final String STORE = "j5ik2o.dynamo-db-state";
    private static final String ID = "counter-875e6ce0425e4d2b8203f3b44b9b531a";
    private static final String PKEY = "counter-0000000000000000000000000000000000000053";

    @RegisterExtension
    final LocalDynamo local = new LocalDynamo();

    @RegisterExtension
    final Systems systems = new Systems();

    private final String table = local.freshTable();

    private ActorSystem start(String overrides) {
        String places = "table = \"" + table + "\", endpoint = \"" + local.endpoint() + "\"";
        return systems.start(ConfigFactory.load(ConfigFactory.parseString(overrides)
                .withFallback(ConfigFactory.parseResources("adopted-j5ik2o-state.conf"))
                .withFallback(ConfigFactory.parseString(places))));
    }

    /** A row as one of its stores wrote it. */
    private ActorSystem started(boolean sorted, long revision) {
        StateLayout layout = Layout.J5IK2O
                .states(new LayoutSettings(Map.of("table-name", table)))
                .orElseThrow()
                .variants()
                .get(sorted ? 0 : 1);
        local.create(layout.table());
        ActorSystem system = start("");
        Payload payload = Reads.result(new PayloadSerde(system).payload("seven"));
        Map<String, AttributeValue> row = new HashMap<>(Map.of(
                "pkey", AttributeValue.fromS(PKEY),
                "persistence-id", AttributeValue.fromS(ID),
                "revision-nr", AttributeValue.fromN(Long.toString(revision)),
                "payload", AttributeValue.fromB(SdkBytes.fromByteArray(payload.bytes())),
                "serializer-id", AttributeValue.fromN(Integer.toString(payload.serializerId())),
                "ordering", AttributeValue.fromN("1660000000123")));
        if (sorted) {
            row.put("skey", AttributeValue.fromS(ID));
        }
        Await.result(local.client().putItem(put -> put.tableName(table).item(row)));
        return system;
    }

    private static GetObjectResult<String> stored(ActorSystem system) {
        return Reads.result(StateReads.store(system, STORE).getObject(ID));
    }

    /** With either count of its two stores, and with and without the sort key, which is recognised by the table's key. */
    @ParameterizedTest
    @ValueSource(strings = {"sorted 1", "sorted 2", "unsorted 1", "unsorted 2"})
    void entityRecoversAndGoesOn(String table) {
        long revision = Long.parseLong(table.split(" ", -1)[1]);
        ActorSystem system = started(table.startsWith("sorted"), revision);
        Probe probe = new Probe(system);
        ActorRef<Note.Command> note = Adapter.spawnAnonymous(system, Note.of(ID, Adapter.toTyped(probe.ref()), ""));
        assertThat(probe.expect(Note.Holds.class).text()).isEqualTo("seven");
        note.tell(new Note.Write("eight"));
        assertThat(probe.expect(Note.Holds.class).text()).isEqualTo("eight");
        note.tell(new Note.Erase());
        assertThat(probe.expect(Note.Holds.class).text()).isEmpty();
        note.tell(new Note.Write("nine"));
        assertThat(probe.expect(Note.Holds.class).text()).isEqualTo("nine");
        probe.watch(Adapter.toClassic(note));
        note.tell(new Note.Stop());
        probe.expect(Terminated.class);
        assertThat(stored(system).value()).contains("nine");
        assertThat(stored(system).revision()).isEqualTo(revision + 3);
    }

    @Test
    void secondWriterIsRefused() {
        ActorSystem system = started(true, 1);
        DynajournalDurableStateStore<String> here = StateReads.store(system, STORE);
        DynajournalDurableStateStore<String> there = StateReads.store(start(""), STORE);
        Reads.result(there.getObject(ID));
        Reads.result(here.upsertObject(ID, 2, "here", ""));
        assertThatThrownBy(() -> Reads.result(there.upsertObject(ID, 2, "there", "")))
                .hasCauseInstanceOf(StoreException.RevisionConflict.class);
        assertThat(stored(system).value()).contains("here");
    }

    @Test
    void changesFailAtOnceAndNameTheLayoutThatHasAnIndex() {
        ActorSystem system = started(true, 1);
        DynajournalDurableStateStore<String> store = StateReads.store(system, STORE);
        Reads reads = new Reads(system);
        for (var source : List.of(
                store.changesBySlices("counter", 0, 1023, NoOffset.getInstance()),
                store.currentChangesBySlices("counter", 0, 1023, NoOffset.getInstance()),
                store.changes("red", NoOffset.getInstance()))) {
            assertThatThrownBy(() -> reads.all(source))
                    .hasCauseInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining(table)
                    .hasMessageContaining("layout commits");
        }
        assertThat(reads.all(store.currentPersistenceIds(Optional.empty(), 10))).containsExactly(ID);
    }

    @Test
    void answersArriveOnTheDispatcherOfTheSettings() {
        started(true, 1);
        ActorSystem system = start("""
                j5ik2o.dynamo-db-state.plugin-dispatcher = "own-threads"
                own-threads { type = Dispatcher, executor = thread-pool-executor, thread-pool-executor.fixed-pool-size = 1 }
                """);
        DynajournalDurableStateStore<String> store = StateReads.store(system, STORE);
        Answer found = answer(system, () -> store.getObject(ID));
        Answer written = answer(system, () -> store.upsertObject(ID, 2, "a", ""));
        Answer refused = answer(system, () -> store.upsertObject(ID, 2, "b", ""));
        Answer deleted = answer(system, () -> store.deleteObject(ID, 3));
        assertThat(List.of(found, written, refused, deleted))
                .allSatisfy(answer -> assertThat(answer.thread).contains("own-threads"));
        assertThat(List.of(found, written, deleted)).extracting(Answer::failure).containsOnlyNulls();
        assertThat(refused.failure).hasCauseInstanceOf(StoreException.RevisionConflict.class);
    }

    private record Answer(String thread, Throwable failure) {}

    /**
     * The dispatcher's one thread is held until the callback is there: a callback that comes after the answer runs on the thread
     * that brings it.
     */
    private static Answer answer(ActorSystem system, Supplier<CompletionStage<?>> call) {
        CountDownLatch attached = new CountDownLatch(1);
        system.dispatchers().lookup("own-threads").execute(() -> await(attached));
        CompletionStage<Answer> answer = call.get()
                .handle((done, failure) -> new Answer(Thread.currentThread().getName(), failure));
        attached.countDown();
        return Reads.result(answer);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
