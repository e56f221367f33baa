package io.dynajournal.layout.akka1;

import io.dynajournal.dynamo.Dynamo;
import io.dynajournal.dynamo.Item;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;

/**
 * The high and low marks of ids. Of each kind the highest counts, over all shards. Marks are only ever raised, by a
 * condition: a request that arrives late, or a delete that overtook another, cannot take one back.
 */
final class Akka1Marks {

    /**
     * What the marks of an id say.
     *
     * @param high the start of the partition in which the log ends, as far as is marked; 0 without a mark
     * @param low the lowest number that may be read; 0 without a mark
     */
    record Marks(long high, long low) {

        long firstReadable() {
            return Math.max(1, low);
        }

        boolean isNone() {
            return high == 0 && low == 0;
        }
    }

    private final Dynamo dynamo;
    private final String table;
    private final Akka1Keys keys;

    Akka1Marks(Dynamo dynamo, Akka1Journal settings) {
        this.dynamo = dynamo;
        this.table = settings.tableName();
        this.keys = settings.keys();
    }

    /** Reads all shards of both kinds, up to 100 in a request; fails if a single one cannot be read. */
    CompletionStage<Marks> read(String persistenceId) {
        List<Map<String, AttributeValue>> where = keys.marks(persistenceId).stream()
                .map(par ->
                        Map.of(Akka1Items.PAR, AttributeValue.fromS(par), Akka1Items.NUM, AttributeValue.fromN("0")))
                .toList();
        return dynamo.getAll(table, where).thenApply(found -> {
            long high = 0;
            long low = 0;
            for (Item mark : found) {
                long seq = mark.number(Akka1Items.SEQ);
                if (keys.isHigh(mark.text(Akka1Items.PAR))) {
                    high = Math.max(high, seq);
                } else {
                    low = Math.max(low, seq);
                }
            }
            return new Marks(high, low);
        });
    }

    CompletionStage<Void> raiseHigh(String persistenceId, long seqNr) {
        return raise(Akka1Items.highMark(keys, persistenceId, seqNr));
    }

    CompletionStage<Void> raiseLow(String persistenceId, long lowest) {
        return raise(Akka1Items.lowMark(keys, persistenceId, lowest));
    }

    /** A refusal is as good: the mark is there, or a higher one. */
    private CompletionStage<Void> raise(Item mark) {
        return dynamo.putIf(PutItemRequest.builder()
                        .tableName(table)
                        .item(mark.attributes())
                        .conditionExpression("attribute_not_exists(#seq) OR #seq < :seq")
                        .expressionAttributeNames(Map.of("#seq", Akka1Items.SEQ))
                        .expressionAttributeValues(
                                Map.of(":seq", AttributeValue.fromN(Long.toString(mark.number(Akka1Items.SEQ))))))
                .thenAccept(refusal -> {});
    }
}
