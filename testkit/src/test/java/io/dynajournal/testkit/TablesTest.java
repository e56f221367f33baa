package io.dynajournal.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.dynamo.ClientSettings;
import io.dynajournal.internal.dynamo.Clients;
import io.dynajournal.internal.dynamo.TableAdmin;
import io.dynajournal.internal.dynamo.TableSpec;
import io.dynajournal.internal.layout.commits.CommitsJournal;
import io.dynajournal.internal.layout.commits.CommitsSnapshots;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.TimeToLiveDescription;
import software.amazon.awssdk.services.dynamodb.model.TimeToLiveStatus;

/** Tables are made and checked by their description. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TablesTest {

    private static final TableSpec.Key PID = new TableSpec.Key("pid", "S");
    private static final TableSpec.Key SEQ = new TableSpec.Key("seq", "N");
    private static final TableSpec.Key SLICE = new TableSpec.Key("slice", "S");
    private static final TableSpec.Key TIME = new TableSpec.Key("time", "N");

    @RegisterExtension
    final LocalDynamo local = new LocalDynamo();

    private final TableAdmin admin = new TableAdmin(local.client());

    private static TableSpec spec(String name, TableSpec.Key range, List<TableSpec.Index> indexes) {
        return new TableSpec(name, PID, range, indexes, null);
    }

    private static TableSpec.Index index(String... projected) {
        return new TableSpec.Index("slices", SLICE, TIME, List.of(projected));
    }

    private String refusal(TableSpec expected) {
        return String.valueOf(Await.failure(admin.verify(expected), StoreException.Refused.class)
                .getMessage());
    }

    @Test
    void tablesOfTheNativeLayoutPassTheirOwnCheck() {
        for (TableSpec spec : List.of(
                CommitsJournal.of(local.freshTable()).table(),
                CommitsJournal.of(local.freshTable()).withoutIndexes().table(),
                CommitsSnapshots.of(local.freshTable()).table())) {
            Await.result(admin.create(spec));
            Await.result(admin.verify(spec));
            Await.result(admin.create(spec));
            Await.result(admin.verify(spec));
        }
    }

    @Test
    void itemsExpireByTheAttributeOfTheDescription() {
        TableSpec spec = CommitsJournal.of(local.freshTable()).table();
        Await.result(admin.create(spec));
        TimeToLiveDescription ttl = Await.result(
                        local.client().describeTimeToLive(request -> request.tableName(spec.name())))
                .timeToLiveDescription();
        assertThat(ttl.timeToLiveStatus()).isEqualTo(TimeToLiveStatus.ENABLED);
        assertThat(ttl.attributeName()).isEqualTo("exp");
    }

    @Test
    void aMissingTableIsReportedInOneLineWithTheNextStep() {
        TableSpec spec = CommitsJournal.of(local.freshTable()).table();
        assertThat(refusal(spec))
                .contains(spec.name())
                .contains("does not exist")
                .contains("create-tables = on")
                .contains("Tables.create")
                .doesNotContain("\n");
    }

    @Test
    void aKeyOfAnotherTypeIsReported() {
        String name = local.freshTable();
        Await.result(admin.create(spec(name, new TableSpec.Key("seq", "S"), List.of())));
        assertThat(refusal(spec(name, SEQ, List.of())))
                .contains(name)
                .contains("(pid S, seq S)")
                .contains("not (pid S, seq N)");
    }

    @Test
    void aMissingSortKeyIsReported() {
        String name = local.freshTable();
        Await.result(admin.create(new TableSpec(name, PID, null, List.of(), null)));
        assertThat(refusal(spec(name, SEQ, List.of()))).contains("(pid S)").contains("not (pid S, seq N)");
    }

    @Test
    void aMissingIndexIsReported() {
        String name = local.freshTable();
        Await.result(admin.create(spec(name, SEQ, List.of())));
        assertThat(refusal(spec(name, SEQ, List.of(index("a"))))).contains("index slices is missing");
    }

    @Test
    void anIndexThatLacksAnAttributeIsReported() {
        String name = local.freshTable();
        Await.result(admin.create(spec(name, SEQ, List.of(index("a", "b")))));
        Await.result(admin.verify(spec(name, SEQ, List.of(index("a")))));
        assertThat(refusal(spec(name, SEQ, List.of(index("a", "b", "c")))))
                .contains("index slices")
                .contains("[a, b, c]");
    }

    @Test
    void allDifferencesAreReportedTogether() {
        String name = local.freshTable();
        Await.result(admin.create(spec(name, new TableSpec.Key("seq", "S"), List.of())));
        assertThat(refusal(spec(name, SEQ, List.of(index("a")))))
                .contains("(pid S, seq S)")
                .contains("index slices is missing");
    }

    @Test
    void anAdditionalIndexIsNoDifference() {
        String name = local.freshTable();
        Await.result(admin.create(spec(name, SEQ, List.of(index("a")))));
        Await.result(admin.verify(spec(name, SEQ, List.of())));
    }

    @Test
    void aDeletedTableIsGone() {
        TableSpec spec = spec(local.freshTable(), SEQ, List.of());
        Await.result(admin.create(spec));
        Await.result(admin.delete(spec.name()));
        assertThat(refusal(spec)).contains("does not exist");
        Await.result(admin.delete(spec.name()));
        Await.result(admin.create(spec));
        Await.result(admin.verify(spec));
    }

    @Test
    void withoutThePermissionToDescribeTheTableTheCheckIsSkipped() {
        verifyAfter(ErrorAnswer.of(400, "AccessDeniedException", "You may not."));
    }

    @Test
    void anyOtherFailureOfTheCheckIsReported() {
        StoreException.Refused failure = null;
        try {
            verifyAfter(ErrorAnswer.of(400, "UnrecognizedClientException", "Who are you?"));
        } catch (StoreException.Refused e) {
            failure = e;
        }
        assertThat(failure).isNotNull().hasMessageContaining("Who are you?");
    }

    private void verifyAfter(ErrorAnswer answer) {
        FaultProxy proxy = local.proxy();
        proxy.when(RequestMatch.operation("DescribeTable")).answer(answer);
        try (DynamoDbAsyncClient client = Clients.open(ClientSettings.forEndpoint(proxy.endpoint()))) {
            Await.result(new TableAdmin(client).verify(spec("nowhere", SEQ, List.of())));
        }
    }

    /** As when another process makes the same table at the same time, and is a little faster. */
    @Test
    void expiryThatIsSwitchedOnMeanwhileIsNoFailure() {
        TableSpec spec = CommitsJournal.of(local.freshTable()).table();
        FaultProxy proxy = local.proxy();
        proxy.when(RequestMatch.operation("UpdateTimeToLive")).loseReply();
        try (DynamoDbAsyncClient client = Clients.open(ClientSettings.forEndpoint(proxy.endpoint()))) {
            Await.result(new TableAdmin(client).create(spec));
        }
        Await.result(new TableAdmin(local.client()).verify(spec));
    }
}
