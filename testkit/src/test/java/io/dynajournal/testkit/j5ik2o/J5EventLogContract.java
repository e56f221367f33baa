package io.dynajournal.testkit.j5ik2o;

import io.dynajournal.internal.layout.JournalLayout;
import io.dynajournal.internal.layout.j5ik2o.J5Journal;
import io.dynajournal.testkit.Await;
import io.dynajournal.testkit.Capabilities;
import io.dynajournal.testkit.Capability;
import io.dynajournal.testkit.EventLogContract;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The contract for events of the layout j5ik2o. */
abstract class J5EventLogContract extends EventLogContract {

    @Override
    public Capabilities capabilities() {
        return Capabilities.ALL
                .without(Capability.MICROSECONDS, "the column ordering has milliseconds")
                .beyond(Capability.ANY_COUNT, 100, "a transaction has 100 items at most, and rows have no batch marks")
                .beyond(Capability.ANY_SUM, 4 << 20, "a transaction has 4 MB at most")
                .beyond(Capability.ANY_SIZE, 409_000, "an event is one item, of 400 KB at most")
                .without(Capability.GAPS_ARE_DAMAGE, "rejected events leave gaps")
                .without(Capability.LATE_DELETES, "batches that mark and delete rows have no conditions")
                .without(Capability.DELETES_LEAVE_A_MARK, "hard deletes remove rows");
    }

    @Override
    protected abstract J5Journal layout(String tableName);

    @Override
    protected JournalLayout layoutWithFatalGaps(String tableName) {
        return layout(tableName).withFatalGaps();
    }

    @Override
    public void removeItem(String persistenceId, long seqNr) {
        for (Map<String, AttributeValue> item : Await.result(local.client()
                        .query(query -> query.tableName(fixture().tableName())
                                .indexName("GetJournalRowsIndex")
                                .keyConditionExpression("#id = :id AND #nr = :nr")
                                .expressionAttributeNames(Map.of("#id", "persistence-id", "#nr", "sequence-nr"))
                                .expressionAttributeValues(Map.of(
                                        ":id", AttributeValue.fromS(persistenceId),
                                        ":nr", AttributeValue.fromN(Long.toString(seqNr))))))
                .items()) {
            Map<String, AttributeValue> key = new HashMap<>(item);
            key.keySet().retainAll(Set.of("pkey", "skey"));
            Await.result(local.client()
                    .deleteItem(
                            delete -> delete.tableName(fixture().tableName()).key(key)));
        }
    }
}
