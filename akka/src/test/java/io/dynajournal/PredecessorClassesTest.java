package io.dynajournal;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.ActorRef;
import akka.actor.ActorSystem;
import akka.persistence.Persistence;
import akka.persistence.query.PersistenceQuery;
import io.dynajournal.internal.catalog.Layout;
import io.dynajournal.query.javadsl.DynajournalReadJournal;
import io.dynajournal.testkit.LocalDynamo;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A configuration that names a predecessor's classes starts ours. */
final class PredecessorClassesTest {

    /** On Pekko too, for configurations that come from Akka. */
    private static final String AKKA = "ak" + "ka.persistence";

    private static final String TOOLKIT = Persistence.class.getPackageName();
    private static final String J5 = "com.github.j5ik2o.";

    @RegisterExtension
    final LocalDynamo local = new LocalDynamo();

    @RegisterExtension
    final Systems systems = new Systems();

    private final Adopted adopted = new Adopted(local, systems);

    static Stream<Arguments> predecessors() {
        String ofFork = J5 + TOOLKIT.substring(TOOLKIT.lastIndexOf('.', TOOLKIT.lastIndexOf('.') - 1) + 1);
        return Stream.of(AKKA, TOOLKIT)
                .distinct()
                .flatMap(toolkit -> Stream.of(
                        Arguments.of("adopted-akka1", Layout.AKKA1, "my-dynamodb-journal", toolkit + ".dynamodb."),
                        Arguments.of(
                                "adopted-akka2-copy", Layout.AKKA2, "second-dynamodb.journal", toolkit + ".dynamodb."),
                        Arguments.of(
                                "adopted-j5ik2o",
                                Layout.J5IK2O,
                                "j5ik2o.dynamo-db-journal",
                                (toolkit.equals(AKKA) ? J5 + AKKA : ofFork) + ".dynamodb.")));
    }

    @ParameterizedTest
    @MethodSource("predecessors")
    void classNamesOfThePredecessorAreOurs(String settings, Layout layout, String journal, String prefix) {
        adopted.create(layout);
        String snapshots = journal.equals("my-dynamodb-journal")
                ? "my-dynamodb-snapshot-store"
                : journal.replace("journal", "snapshot");
        String queries = journal.startsWith("second")
                ? "second-dynamodb.query"
                : journal.replace("dynamodb-journal", "dynamodb-read-journal").replace("db-journal", "db-read-journal");
        ActorSystem system = adopted.start(
                settings,
                journal + ".class = \"" + prefix + "journal.DynamoDBJournal\"\n"
                        + snapshots + ".class = \"" + prefix + "snapshot.DynamoDBSnapshotStore\"\n"
                        + queries + ".class = \"" + prefix + "query.DynamoDBReadJournalProvider\"");
        String id = Systems.freshId();
        Probe probe = new Probe(system);
        ActorRef ledger = system.actorOf(Ledger.props(id, probe.ref()));
        probe.expect(Ledger.Recovered.class);
        ledger.tell(new Ledger.Add("one"), ActorRef.noSender());
        assertThat(probe.expect(Ledger.Added.class).seqNr()).isEqualTo(1);

        DynajournalReadJournal reads =
                PersistenceQuery.get(system).getReadJournalFor(DynajournalReadJournal.class, queries);
        assertThat(new Reads(system).all(reads.currentEventsByPersistenceId(id, 0, 9)))
                .hasSize(1);
    }

    @Test
    void classNameOf03IsOurs() {
        ActorSystem system = adopted.start(
                "adopted-sclasen",
                "dynamodb-journal { create-tables = on, layout = sclasen, class = \"" + AKKA
                        + ".journal.dynamodb.DynamoDBJournal\" }");
        Probe probe = new Probe(system);
        ActorRef ledger = system.actorOf(Ledger.props(Systems.freshId(), probe.ref()));
        probe.expect(Ledger.Recovered.class);
        ledger.tell(new Ledger.Add("one"), ActorRef.noSender());
        assertThat(probe.expect(Ledger.Added.class).seqNr()).isEqualTo(1);
    }
}
