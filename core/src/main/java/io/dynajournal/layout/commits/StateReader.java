package io.dynajournal.layout.commits;

import io.dynajournal.dynamo.Dynamo;
import io.dynajournal.dynamo.Item;
import io.dynajournal.model.StoredState;
import io.dynajournal.store.Pages;
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
 * Reads states, consistently. A head is written after its parts, and the parts of the head before it are removed after that;
 * so whoever finds a head without parts has read it just before it was replaced, and reads again.
 */
final class StateReader {

    private static final int ATTEMPTS = 3;

    private final Dynamo dynamo;
    private final String table;
    private final Parts parts;

    StateReader(Dynamo dynamo, String table, Parts parts) {
        this.dynamo = dynamo;
        this.table = table;
        this.parts = parts;
    }

    static Map<String, AttributeValue> key(String persistenceId) {
        return Map.of(StateItems.PID, AttributeValue.fromS(persistenceId), StateItems.SEQ, AttributeValue.fromN("0"));
    }

    /** The head of an id; empty if there is none. */
    CompletionStage<Item> head(String persistenceId) {
        return dynamo.getAll(table, List.of(key(persistenceId)))
                .thenApply(items -> items.isEmpty() ? Item.create() : items.get(0));
    }

    /** @param seen is told of the head, or of its absence, each time it is read */
    CompletionStage<Optional<StoredState>> get(String persistenceId, Consumer<Item> seen) {
        return get(persistenceId, seen, ATTEMPTS);
    }

    private CompletionStage<Optional<StoredState>> get(String persistenceId, Consumer<Item> seen, int attempts) {
        return head(persistenceId).thenCompose(head -> {
            seen.accept(head);
            return whole(head).thenCompose(state -> {
                if (state != null) {
                    return CompletableFuture.completedFuture(state);
                }
                if (attempts > 1) {
                    return get(persistenceId, seen, attempts - 1);
                }
                throw head.corrupt(Parts.PARTS, "names parts that are not there", null);
            });
        });
    }

    /** Each in the place of its id. */
    CompletionStage<List<Optional<StoredState>>> getAll(List<String> persistenceIds) {
        List<Map<String, AttributeValue>> keys =
                persistenceIds.stream().distinct().map(StateReader::key).toList();
        return dynamo.getAll(table, keys).thenCompose(items -> {
            Map<String, Item> heads = new HashMap<>();
            items.forEach(item -> heads.put(item.text(StateItems.PID), item));
            List<Optional<StoredState>> states = new ArrayList<>();
            return Pages.drain(0, index -> {
                        if (index >= persistenceIds.size()) {
                            return CompletableFuture.completedFuture(null);
                        }
                        String id = persistenceIds.get(index);
                        return whole(heads.getOrDefault(id, Item.create()))
                                .thenCompose(state ->
                                        state == null ? get(id, again -> {}) : CompletableFuture.completedFuture(state))
                                .thenApply(state -> {
                                    states.add(state);
                                    return index + 1;
                                });
                    })
                    .thenApply(done -> states);
        });
    }

    /** The state of a head; null if its parts are gone. */
    private CompletionStage<@Nullable Optional<StoredState>> whole(Item head) {
        if (head.isEmpty()) {
            return CompletableFuture.completedFuture(Optional.empty());
        }
        if (StateItems.isDeleted(head)) {
            return CompletableFuture.completedFuture(Optional.of(StateItems.deleted(head)));
        }
        if (!head.has(Parts.SUM)) {
            return CompletableFuture.completedFuture(Optional.of(StateItems.state(head, head.bytes(StateItems.BODY))));
        }
        return parts.read(head)
                .thenApply(payload -> payload == null ? null : Optional.of(StateItems.state(head, payload)));
    }
}
