package io.dynajournal.internal.layout.akka2;

import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.dynamo.Item;
import io.dynajournal.internal.layout.akka2.Akka2Items.Row;
import io.dynajournal.internal.layout.akka2.Akka2Items.Visibility;
import io.dynajournal.internal.store.PageToken;
import io.dynajournal.internal.store.PersistenceIds;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ScanRequest;

/**
 * Lists persistence ids by a scan of the whole table; the predecessor cannot list them. A scan returns the items of one
 * persistence id together, so only the last one has to be remembered.
 */
final class Akka2PersistenceIds implements PersistenceIds {

    private static final String PROJECTION = "#pid, #seq_nr, #del, #expiry, #dj_first, #dj_write, #dj_open";
    private static final List<String> ATTRIBUTES = List.of(
            Akka2Items.PID,
            Akka2Items.SEQ_NR,
            Akka2Items.DEL,
            Akka2Items.EXPIRY,
            Akka2Items.FIRST,
            Akka2Items.WRITE,
            Akka2Items.OPEN);

    private record Token(
            Map<String, AttributeValue> next, @Nullable String last) implements PageToken {}

    private final Dynamo dynamo;
    private final String tableName;
    private final Predicate<Item> counts;

    Akka2PersistenceIds(Dynamo dynamo, Akka2Journal settings) {
        this.dynamo = dynamo;
        this.tableName = settings.tableName();
        this.counts = item -> {
            Row row = Akka2Items.row(item);
            boolean incomplete =
                    row.write() != null && !row.isDeleted() && (row.isOpen() || row.seqNr() != row.first());
            boolean check = settings.timeToLive().of(item.text(Akka2Items.PID)).checkExpiry();
            return !incomplete && row.visibility(dynamo.nowMicros() / 1_000_000, check) != Visibility.NONE;
        };
    }

    Akka2PersistenceIds(Dynamo dynamo, Akka2Snapshots settings) {
        this.dynamo = dynamo;
        this.tableName = settings.tableName();
        this.counts = item -> item.has(Akka2Items.SEQ_NR)
                && !(settings.timeToLive().of(item.text(Akka2Items.PID)).checkExpiry()
                        && Akka2SnapshotItems.isExpired(item, dynamo.nowMicros() / 1_000_000));
    }

    @Override
    public CompletionStage<IdPage> read(@Nullable PageToken start) {
        Token token = (Token) start;
        return dynamo.scan(ScanRequest.builder()
                        .tableName(tableName)
                        .consistentRead(true)
                        .projectionExpression(PROJECTION)
                        .expressionAttributeNames(Akka2Table.names(ATTRIBUTES))
                        .exclusiveStartKey(token == null ? null : token.next()))
                .thenApply(page -> {
                    List<String> ids = new ArrayList<>();
                    String last = token == null ? null : token.last();
                    for (Item item : page.items()) {
                        String id = item.text(Akka2Items.PID);
                        if (!id.equals(last) && counts.test(item)) {
                            ids.add(id);
                            last = id;
                        }
                    }
                    return new IdPage(ids, page.next() == null ? null : new Token(page.next(), last));
                });
    }
}
