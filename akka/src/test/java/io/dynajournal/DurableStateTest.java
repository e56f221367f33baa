package io.dynajournal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import akka.actor.ActorSystem;
import akka.actor.Terminated;
import akka.actor.typed.ActorRef;
import akka.actor.typed.javadsl.Adapter;
import akka.persistence.state.DurableStateStoreRegistry;
import akka.persistence.state.javadsl.GetObjectResult;
import io.dynajournal.exception.SettingsException;
import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.plugin.OpenPlugins;
import io.dynajournal.state.javadsl.DynajournalDurableStateStore;
import io.dynajournal.testkit.FaultProxy;
import io.dynajournal.testkit.RequestMatch;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import scala.jdk.javaapi.FutureConverters;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Durable states through the toolkit's behaviors and stores. */
final class DurableStateTest {

    private static final String STORE = "dynajournal.state";

    @RegisterExtension
    final Systems systems = new Systems();

    private final String id = Systems.freshId();
    private ActorSystem system;
    private Probe probe;

    @BeforeEach
    void start() {
        system = systems.start();
        probe = new Probe(system);
    }

    private ActorRef<Note.Command> note(String recovered) {
        return note(system, probe, "", recovered);
    }

    private ActorRef<Note.Command> note(ActorSystem in, Probe observer, String store, String recovered) {
        ActorRef<Note.Command> note = Adapter.spawnAnonymous(in, Note.of(id, Adapter.toTyped(observer.ref()), store));
        assertThat(observer.expect(Note.Holds.class).text()).isEqualTo(recovered);
        return note;
    }

    private void tell(ActorRef<Note.Command> note, Note.Command command, String holds) {
        note.tell(command);
        assertThat(probe.expect(Note.Holds.class).text()).isEqualTo(holds);
    }

    private void stop(ActorRef<Note.Command> note) {
        probe.watch(Adapter.toClassic(note));
        note.tell(new Note.Stop());
        probe.expect(Terminated.class);
    }

    private DynajournalDurableStateStore<String> store(ActorSystem in) {
        @SuppressWarnings("unchecked")
        DynajournalDurableStateStore<String> store =
                DurableStateStoreRegistry.get(in).getDurableStateStoreFor(DynajournalDurableStateStore.class, STORE);
        return store;
    }

    private static <T> T result(CompletionStage<T> stage) {
        return stage.toCompletableFuture().orTimeout(60, TimeUnit.SECONDS).join();
    }

    private GetObjectResult<String> stored() {
        return result(store(system).getObject(id));
    }

    @Test
    void recoversItsLastState() {
        ActorRef<Note.Command> note = note("");
        tell(note, new Note.Write("a"), "a");
        tell(note, new Note.Write("b"), "b");
        stop(note);

        note("b");
        assertThat(stored().revision()).isEqualTo(2);
    }

    @Test
    void newIncarnationAfterADeleteGoesOnWithTheRevision() {
        ActorRef<Note.Command> note = note("");
        tell(note, new Note.Write("a"), "a");
        tell(note, new Note.Erase(), "");
        assertThat(stored().value()).isEmpty();
        assertThat(stored().revision()).isEqualTo(2);
        tell(note, new Note.Write("b"), "b");
        tell(note, new Note.Erase(), "");
        stop(note);

        ActorRef<Note.Command> again = note("");
        tell(again, new Note.Write("c"), "c");
        assertThat(stored().value()).contains("c");
        assertThat(stored().revision()).isEqualTo(5);
    }

    @Test
    void ofTwoEntitiesWithOneIdOneStops() {
        ActorRef<Note.Command> here = note("");
        ActorSystem elsewhere = systems.start();
        Probe there = new Probe(elsewhere);
        ActorRef<Note.Command> other = note(elsewhere, there, "", "");
        tell(here, new Note.Write("here"), "here");

        there.watch(Adapter.toClassic(other));
        other.tell(new Note.Write("there"));
        there.expect(Terminated.class);
        assertThat(stored().value()).contains("here");
        tell(here, new Note.Write("still here"), "still here");
    }

    @Test
    void wrongRevisionIsRefusedByName() {
        result(store(system).upsertObject(id, 1, "a", ""));
        for (long revision : new long[] {1, 3}) {
            assertThatThrownBy(() -> result(store(system).upsertObject(id, revision, "b", "")))
                    .hasCauseInstanceOf(StoreException.RevisionConflict.class)
                    .hasMessageContaining("revision " + revision)
                    .hasMessageContaining("revision 1 is there");
        }
        assertThatThrownBy(() -> result(store(system).deleteObject(id, 1)))
                .hasCauseInstanceOf(StoreException.RevisionConflict.class);
        assertThat(stored().value()).contains("a");
    }

    @Test
    void lostReplyIsNoFailure() {
        try (FaultProxy proxy = Systems.proxy()) {
            ActorSystem through = systems.start(Systems.through(proxy) + ", dynajournal.state.create-tables = on");
            Probe observer = new Probe(through);
            ActorRef<Note.Command> note = note(through, observer, "", "");
            proxy.when(RequestMatch.operation("PutItem")).loseReply();
            note.tell(new Note.Write("a"));
            assertThat(observer.expect(Note.Holds.class).text()).isEqualTo("a");
            note.tell(new Note.Write("b"));
            assertThat(observer.expect(Note.Holds.class).text()).isEqualTo("b");
            assertThat(result(store(through).getObject(id)).revision()).isEqualTo(2);
        }
    }

    /** Akka 2.6 and Pekko 1.1 take the next command before the delete is stored. */
    @Test
    void nothingOfAnIdOvertakesADeleteThatIsOnItsWay() {
        try (FaultProxy proxy = Systems.proxy()) {
            ActorSystem through = systems.start(Systems.through(proxy) + ", dynajournal.state.create-tables = on");
            DynajournalDurableStateStore<String> store = store(through);
            result(store.upsertObject(id, 1, "a", ""));
            io.dynajournal.testkit.HeldRequest gate =
                    proxy.when(RequestMatch.operation("PutItem")).hold();
            CompletionStage<akka.Done> deleted = store.deleteObject(id, 2);
            CompletionStage<akka.Done> written = store.upsertObject(id, 3, "b", "");
            CompletionStage<GetObjectResult<String>> read = store.getObject(id);
            gate.awaitArrival();
            gate.release();
            result(deleted);
            result(written);
            assertThat(result(read).revision()).isEqualTo(3);
        }
    }

    @Test
    void stateOfTenMegabytesComesBack() {
        StringBuilder text = new StringBuilder();
        Random random = new Random(1);
        while (text.length() < 10 << 20) {
            text.append(Long.toString(random.nextLong(), 36));
        }
        result(store(system).upsertObject(id, 1, text.toString(), ""));
        assertThat(stored().value()).contains(text.toString());
        result(store(system).upsertObject(id, 2, "small", ""));
        assertThat(stored().value()).contains("small");
    }

    @Test
    void scalasFaceDoesTheSame() {
        io.dynajournal.state.scaladsl.DynajournalDurableStateStore<String> store =
                DurableStateStoreRegistry.get(system).durableStateStoreFor(STORE);
        result(FutureConverters.asJava(store.upsertObject(id, 1, "a", "")));
        assertThat(result(FutureConverters.asJava(store.getObject(id))).value().get())
                .isEqualTo("a");
        result(FutureConverters.asJava(store.deleteObject(id, 2)));
        assertThat(result(FutureConverters.asJava(store.getObject(id))).value().isEmpty())
                .isTrue();
        assertThat(result(FutureConverters.asJava(store.getObject(id))).revision())
                .isEqualTo(2);
    }

    @Test
    void deleteWithoutARevisionTakesTheNextOne() {
        result(store(system).upsertObject(id, 1, "a", ""));
        @SuppressWarnings("deprecation")
        CompletionStage<akka.Done> deleted = store(system).deleteObject(id);
        result(deleted);
        assertThat(stored().value()).isEmpty();
        assertThat(stored().revision()).isEqualTo(2);
    }

    @Test
    void secondStoreHasItsTableAndItsColumns() {
        ActorRef<Note.Command> note = note(system, probe, "other-state", "");
        tell(note, new Note.Write("seven77"), "seven77");

        Map<String, AttributeValue> item = OpenPlugins.get(system)
                .client("dynajournal.client")
                .getItem(get -> get.tableName("other_states")
                        .key(Map.of("pid", AttributeValue.fromS(id), "seq", AttributeValue.fromN("0"))))
                .orTimeout(30, TimeUnit.SECONDS)
                .join()
                .item();
        assertThat(item).containsEntry("letters", AttributeValue.fromN("7"));
        assertThat(stored().revision()).isZero();
    }

    @Test
    void columnsThatThrowFailTheWriteAndStoreNothing() {
        ActorSystem bad = systems.start("dynajournal.state.columns.\"*\" = \"io.dynajournal.BadColumns\"");
        assertThatThrownBy(() -> result(store(bad).upsertObject(id, 1, "throw", "")))
                .hasMessageContaining("io.dynajournal.BadColumns")
                .hasMessageContaining(id)
                .hasMessageContaining("revision 1")
                .hasMessageContaining("Nothing was stored")
                .hasMessageNotContaining("secret of the state");
        result(store(bad).upsertObject(id, 1, "good", ""));
        assertThat(stored().value()).contains("good");
    }

    @Test
    void columnsAreOfTheEntityTypeThatTheSettingsName() {
        ActorSystem typed = systems.start(
                "dynajournal.state.columns { Other.Type = io.dynajournal.BadColumns, \"*\" = io.dynajournal.NoteColumns }");
        assertThatThrownBy(() -> result(store(typed).upsertObject("Other.Type|1", 1, "throw", "")))
                .hasMessageContaining("io.dynajournal.BadColumns failed");
        result(store(typed).upsertObject(id, 1, "throw", ""));
        assertThat(stored().value()).contains("throw");
    }

    @Test
    void columnsThatBlockFailTheWriteAndDoNotHoldUpTheNextOne() {
        ActorSystem bad = systems.start("dynajournal.state.columns.\"*\" = \"io.dynajournal.BadColumns\"");
        assertThatThrownBy(() -> result(store(bad).upsertObject(id, 1, "block", "")))
                .hasMessageContaining(id)
                .hasMessageContaining("did not finish within")
                .hasMessageContaining("Nothing was stored");
        result(store(bad).upsertObject(id, 1, "good", ""));
        BadColumns.RELEASE.countDown();
        assertThat(stored().value()).contains("good");
    }

    @Test
    void wrongSettingFailsEveryRequestWithItsName() {
        ActorSystem wrong = systems.start("dynajournal.state.columns.Order = \"java.lang.String\"");
        assertThatThrownBy(() -> result(store(wrong).getObject(id)))
                .hasCauseInstanceOf(SettingsException.class)
                .hasMessageContaining("dynajournal.state.columns.Order")
                .hasMessageContaining("io.dynajournal.StateColumns");
        ActorSystem unknown = systems.start("dynajournal.state.tabel = x");
        assertThatThrownBy(() -> result(store(unknown).getObject(id)))
                .hasCauseInstanceOf(SettingsException.class)
                .hasMessageContaining("Did you mean table?");
    }
}
