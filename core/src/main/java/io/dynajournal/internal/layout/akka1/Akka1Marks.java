package io.dynajournal.internal.layout.akka1;

import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.dynamo.Item;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;

/**
 * The high and low marks of persistence ids. The highest mark of each kind over all shards is valid. A mark is raised by a
 * conditional put, so that a late request or a concurrent delete never lowers it.
 */
final class Akka1Marks {

    /**
     * The marks of a persistence id.
     *
     * @param high the start of the highest partition that is marked; 0 without a mark
     * @param low the lowest sequence number that may be read; 0 without a mark
     * @param deletedWriter who wrote the event before {@code low}; null if it is not known
     */
    record Marks(long high, long low, @Nullable String deletedWriter) {

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

    /** Reads all shards of both kinds, up to 100 per request. Fails if one of them cannot be read. */
    CompletionStage<Marks> read(String persistenceId) {
        return dynamo.getAll(table, all(persistenceId)).thenApply(found -> {
            long high = 0;
            long low = 0;
            String writer = null;
            for (Item mark : found) {
                long seq = mark.number(Akka1Items.SEQ);
                if (keys.isHigh(mark.text(Akka1Items.PAR))) {
                    high = Math.max(high, seq);
                } else if (seq > low) {
                    low = seq;
                    writer = mark.textOr(Akka1Items.WRITER, null);
                }
            }
            return new Marks(high, low, writer);
        });
    }

    private List<Map<String, AttributeValue>> all(String persistenceId) {
        return keys.marks(persistenceId).stream()
                .map(par ->
                        Map.of(Akka1Items.PAR, AttributeValue.fromS(par), Akka1Items.NUM, AttributeValue.fromN("0")))
                .toList();
    }

    /** Removes the marks of a persistence id that has no items any more. */
    CompletionStage<Void> remove(String persistenceId) {
        return dynamo.deleteAll(table, all(persistenceId));
    }

    CompletionStage<Void> raiseHigh(String persistenceId, long seqNr) {
        return raise(Akka1Items.highMark(keys, persistenceId, seqNr));
    }

    CompletionStage<Void> raiseLow(String persistenceId, long lowest, String deletedWriter) {
        return raise(Akka1Items.lowMark(keys, persistenceId, lowest, deletedWriter));
    }

    /** A failed condition is a success: the same or a higher mark is stored. */
    private CompletionStage<Void> raise(Item mark) {
        return dynamo.putIf(PutItemRequest.builder()
                        .tableName(table)
                        .item(mark.attributes())
                        .conditionExpression("attribute_not_exists(#seq) OR #seq < :seq")
                        .expressionAttributeNames(Map.of("#seq", Akka1Items.SEQ))
                        .expressionAttributeValues(
                                Map.of(":seq", AttributeValue.fromN(Long.toString(mark.number(Akka1Items.SEQ))))))
                .thenAccept(existing -> {});
    }
}
