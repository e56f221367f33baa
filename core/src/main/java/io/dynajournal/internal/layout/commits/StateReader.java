package io.dynajournal.internal.layout.commits;

import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.dynamo.Item;
import io.dynajournal.internal.model.StoredState;
import io.dynajournal.internal.store.Pages;
import io.dynajournal.internal.store.SliceRows;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Reads states, consistently. A head is written after its parts, and the parts of the head it replaces are deleted after
 * that; so a head without parts was replaced after it was read, and is read again.
 */
final class StateReader {

    private static final int MAX_READS = 3;

    private final Dynamo dynamo;
    private final String table;
    private final Parts parts;

    StateReader(Dynamo dynamo, String table, Parts parts) {
        this.dynamo = dynamo;
        this.table = table;
        this.parts = parts;
    }

    static Map<String, AttributeValue> key(String persistenceId) {
        return new ItemKey(persistenceId, StateItems.STATE_SEQ).attributes();
    }

    /** The head of a persistence id; without attributes if there is none. */
    CompletionStage<Item> head(String persistenceId) {
        return dynamo.getAll(table, List.of(key(persistenceId)))
                .thenApply(items -> items.isEmpty() ? Item.create() : ItemKey.named(table, items.get(0)));
    }

    /** @param onHead receives each head that is read, without attributes if there is none */
    CompletionStage<Optional<StoredState>> get(String persistenceId, Consumer<Item> onHead) {
        return get(persistenceId, onHead, MAX_READS);
    }

    private CompletionStage<Optional<StoredState>> get(String persistenceId, Consumer<Item> onHead, int readsLeft) {
        return head(persistenceId).thenCompose(head -> {
            onHead.accept(head);
            return whole(head).thenCompose(state -> {
                if (state != null) {
                    return CompletableFuture.completedFuture(state);
                }
                if (readsLeft > 1) {
                    return get(persistenceId, onHead, readsLeft - 1);
                }
                throw Parts.missing(head);
            });
        });
    }

    /**
     * The states of several persistence ids, in their order. The list ends early once the payloads have {@link
     * SliceRows#MAX_CONTENT_BYTES}.
     */
    CompletionStage<List<Optional<StoredState>>> getAll(List<String> persistenceIds) {
        List<Map<String, AttributeValue>> keys =
                persistenceIds.stream().distinct().map(StateReader::key).toList();
        return dynamo.getAll(table, keys).thenCompose(items -> {
            Map<String, Item> heads = new HashMap<>();
            items.forEach(item -> heads.put(item.text(ItemKey.PID), ItemKey.named(table, item)));
            List<Optional<StoredState>> states = new ArrayList<>();
            long[] bytes = {0};
            return Pages.drain(0, index -> {
                        if (index >= persistenceIds.size() || bytes[0] >= SliceRows.MAX_CONTENT_BYTES) {
                            return CompletableFuture.completedFuture(null);
                        }
                        String id = persistenceIds.get(index);
                        return whole(heads.getOrDefault(id, Item.create()))
                                .thenCompose(state ->
                                        state == null ? get(id, head -> {}) : CompletableFuture.completedFuture(state))
                                .thenApply(state -> {
                                    states.add(state);
                                    bytes[0] += state.map(StoredState::payload)
                                            .map(payload -> payload.bytes().length)
                                            .orElse(0);
                                    return index + 1;
                                });
                    })
                    .thenApply(done -> states);
        });
    }

    /** The state of a head; null if its parts are missing. */
    private CompletionStage<@Nullable Optional<StoredState>> whole(Item head) {
        if (head.isEmpty()) {
            return CompletableFuture.completedFuture(Optional.empty());
        }
        if (StateItems.isDeleted(head)
                || head.numberOr(StateItems.EXPIRY, Long.MAX_VALUE) <= dynamo.nowMicros() / 1_000_000) {
            return CompletableFuture.completedFuture(Optional.of(StateItems.deleted(head)));
        }
        if (!head.has(Parts.DIGEST)) {
            return CompletableFuture.completedFuture(Optional.of(StateItems.state(head, head.bytes(StateItems.BODY))));
        }
        return parts.read(head).thenApply(frame -> frame == null ? null : Optional.of(StateItems.state(head, frame)));
    }
}
