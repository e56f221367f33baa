package io.dynajournal.testkit.simulator;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.ConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.ItemResponse;
import software.amazon.awssdk.services.dynamodb.model.ReturnConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.TransactGetItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactGetItemsResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsResponse;

/** TransactWriteItems and TransactGetItems. */
final class Transactions {

    private static final int MAX_ACTIONS = 100;
    private static final int MAX_BYTES = 4 << 20;
    private static final long TOKEN_NANOS = 10L * 60 * 1_000_000_000;
    private static final int TRANSACTIONAL = 2;

    private record Token(TransactWriteItemsRequest request, TransactWriteItemsResponse response, long untilNanos) {}

    /** @param shown what a failed condition shows */
    private record Action(ItemChange change, @Nullable ReturnValuesOnConditionCheckFailure shown, boolean checkOnly) {}

    private final Tables tables;
    private final Lags lags;
    private final Map<String, Token> tokens = new HashMap<>();

    Transactions(Tables tables, Lags lags) {
        this.tables = tables;
        this.lags = lags;
    }

    TransactWriteItemsResponse write(TransactWriteItemsRequest request) {
        String tokenName = request.clientRequestToken();
        Token token = tokenName == null ? null : tokens.get(tokenName);
        if (token != null && token.untilNanos - lags.nanoTime() > 0) {
            if (!token.request.transactItems().equals(request.transactItems())) {
                throw Errors.tokenReused();
            }
            return token.response;
        }
        TransactWriteItemsResponse response = carryOut(request);
        if (tokenName != null) {
            tokens.put(tokenName, new Token(request, response, lags.nanoTime() + TOKEN_NANOS));
        }
        return response;
    }

    private TransactWriteItemsResponse carryOut(TransactWriteItemsRequest request) {
        checkCount(request.transactItems().size());
        List<Action> actions =
                request.transactItems().stream().map(this::action).toList();
        checkDistinct(actions);
        checkConditions(actions);
        int bytes = actions.stream()
                .mapToInt(action -> Values.bytes(action.change.after()))
                .sum();
        if (bytes > MAX_BYTES) {
            throw Errors.validation("Transaction request cannot include more than 4 MB of data");
        }
        Map<String, Units> units = new LinkedHashMap<>();
        for (Action action : actions) {
            Units of = action.checkOnly
                    ? Units.ofTable(Units.writes(Values.bytes(action.change.before())))
                    : action.change.apply().units();
            // An index row is written once, the item is prepared and committed.
            Units doubled = new Units(of.table() * TRANSACTIONAL, of.indexes());
            units.merge(action.change.table().name(), doubled, Units::plus);
        }
        return TransactWriteItemsResponse.builder()
                .consumedCapacity(capacity(units, request.returnConsumedCapacity()))
                .build();
    }

    private @Nullable List<ConsumedCapacity> capacity(
            Map<String, Units> units, @Nullable ReturnConsumedCapacity wanted) {
        List<ConsumedCapacity> all = new ArrayList<>();
        units.forEach((table, of) -> {
            ConsumedCapacity report = of.report(tables.named(table), wanted);
            if (report != null) {
                all.add(report);
            }
        });
        return all.isEmpty() ? null : all;
    }

    private static void checkCount(int count) {
        if (count < 1 || count > MAX_ACTIONS) {
            throw Errors.validation(
                    "1 validation error detected: Value at 'transactItems' failed to satisfy constraint:"
                            + " Member must have length less than or equal to " + MAX_ACTIONS);
        }
    }

    private static void checkDistinct(List<Action> actions) {
        Map<String, Set<ItemKey>> byTable = new HashMap<>();
        for (Action action : actions) {
            String table = action.change.table().name();
            if (!byTable.computeIfAbsent(table, added -> new HashSet<>()).add(action.change.key())) {
                throw Errors.validation("Transaction request cannot include multiple operations on one item");
            }
        }
    }

    private Action action(TransactWriteItem item) {
        if (item.put() != null) {
            Table table = tables.named(item.put().tableName());
            return new Action(
                    ItemChange.put(
                            table,
                            item.put().item(),
                            new ItemChange.Expressions(
                                    item.put().conditionExpression(),
                                    null,
                                    item.put().expressionAttributeNames(),
                                    item.put().expressionAttributeValues())),
                    item.put().returnValuesOnConditionCheckFailure(),
                    false);
        }
        if (item.update() != null) {
            Table table = tables.named(item.update().tableName());
            return new Action(
                    ItemChange.update(
                            table,
                            item.update().key(),
                            new ItemChange.Expressions(
                                    item.update().conditionExpression(),
                                    item.update().updateExpression(),
                                    item.update().expressionAttributeNames(),
                                    item.update().expressionAttributeValues())),
                    item.update().returnValuesOnConditionCheckFailure(),
                    false);
        }
        if (item.delete() != null) {
            Table table = tables.named(item.delete().tableName());
            return new Action(
                    ItemChange.delete(
                            table,
                            item.delete().key(),
                            new ItemChange.Expressions(
                                    item.delete().conditionExpression(),
                                    null,
                                    item.delete().expressionAttributeNames(),
                                    item.delete().expressionAttributeValues())),
                    item.delete().returnValuesOnConditionCheckFailure(),
                    false);
        }
        Table table = tables.named(item.conditionCheck().tableName());
        return new Action(
                ItemChange.check(
                        table,
                        item.conditionCheck().key(),
                        new ItemChange.Expressions(
                                item.conditionCheck().conditionExpression(),
                                null,
                                item.conditionCheck().expressionAttributeNames(),
                                item.conditionCheck().expressionAttributeValues())),
                item.conditionCheck().returnValuesOnConditionCheckFailure(),
                true);
    }

    private static void checkConditions(List<Action> actions) {
        List<CancellationReason> reasons =
                actions.stream().map(Transactions::reason).toList();
        if (reasons.stream().anyMatch(reason -> !reason.code().equals("None"))) {
            throw Errors.transactionCancelled(reasons);
        }
    }

    private static CancellationReason reason(Action action) {
        try {
            action.change.checked();
            return reasonOfCondition(action);
        } catch (AwsServiceException e) {
            return CancellationReason.builder()
                    .code("ValidationError")
                    .message(e.awsErrorDetails().errorMessage())
                    .build();
        }
    }

    /** Fails if the update does not fit the item. */
    private static CancellationReason reasonOfCondition(Action action) {
        if (!action.change.holds()) {
            CancellationReason.Builder reason = CancellationReason.builder()
                    .code("ConditionalCheckFailed")
                    .message("The conditional request failed");
            if (SingleWrites.showsExisting(action.shown)
                    && !action.change.before().isEmpty()) {
                reason.item(action.change.before());
            }
            return reason.build();
        }
        action.change.after();
        return CancellationReason.builder().code("None").build();
    }

    /** What a transaction gets that another one has met. */
    static AwsServiceException conflict(TransactWriteItemsRequest request) {
        List<CancellationReason> reasons = new ArrayList<>();
        for (int i = 0; i < request.transactItems().size(); i++) {
            reasons.add(CancellationReason.builder()
                    .code(i == 0 ? "TransactionConflict" : "None")
                    .message(i == 0 ? "Transaction is ongoing for the item" : null)
                    .build());
        }
        return Errors.transactionCancelled(reasons);
    }

    TransactGetItemsResponse get(TransactGetItemsRequest request) {
        checkCount(request.transactItems().size());
        List<ItemResponse> responses = new ArrayList<>();
        Map<String, Units> units = new LinkedHashMap<>();
        request.transactItems().forEach(item -> {
            Table table = tables.named(item.get().tableName());
            Placeholders placeholders = new Placeholders(item.get().expressionAttributeNames(), Map.of());
            List<Path> projection = Reads.projection(item.get().projectionExpression(), placeholders);
            placeholders.checkAllUsed(projection != null);
            var found = Reads.item(table, item.get().key(), true);
            responses.add(
                    found.isEmpty()
                            ? ItemResponse.builder().build()
                            : ItemResponse.builder()
                                    .item(Reads.projected(found, projection))
                                    .build());
            units.merge(
                    table.name(), Units.ofTable(TRANSACTIONAL * Units.reads(Values.bytes(found), true)), Units::plus);
        });
        return TransactGetItemsResponse.builder()
                .responses(responses)
                .consumedCapacity(capacity(units, request.returnConsumedCapacity()))
                .build();
    }
}
