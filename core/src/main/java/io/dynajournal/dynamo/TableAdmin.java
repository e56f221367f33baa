package io.dynajournal.dynamo;

import io.dynajournal.store.Pages;
import io.dynajournal.store.StoreException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.CreateTableRequest;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndex;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndexDescription;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.LocalSecondaryIndex;
import software.amazon.awssdk.services.dynamodb.model.Projection;
import software.amazon.awssdk.services.dynamodb.model.ProjectionType;
import software.amazon.awssdk.services.dynamodb.model.ResourceInUseException;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;
import software.amazon.awssdk.services.dynamodb.model.TableStatus;
import software.amazon.awssdk.services.dynamodb.model.TimeToLiveStatus;

/** Creates tables from their {@link TableSpec} and compares them with it. Thread-safe; does not own the client. */
public final class TableAdmin {

    private static final Logger log = LoggerFactory.getLogger(TableAdmin.class);
    private static final long POLL_MILLIS = 250;
    private static final long ANSWER_SECONDS = 10;
    private static final long GIVE_UP_NANOS = TimeUnit.MINUTES.toNanos(10);

    private final DynamoDbAsyncClient client;

    public TableAdmin(DynamoDbAsyncClient client) {
        this.client = client;
    }

    /** Creates the table unless it is there, and waits until it is active and expires items. */
    public CompletionStage<Void> create(TableSpec spec) {
        return recover(
                        spec.name(),
                        "created",
                        client.createTable(request(spec))
                                .thenAccept(created -> log.info("Creating table {}", spec.name())),
                        ResourceInUseException.class::isInstance)
                .thenCompose(made -> await(spec.name(), TableAdmin::isActive))
                .thenCompose(active -> expire(spec));
    }

    /** Deletes the table if it is there, and waits until it is gone. */
    public CompletionStage<Void> delete(String table) {
        return recover(
                        table,
                        "deleted",
                        client.deleteTable(request -> request.tableName(table))
                                .thenAccept(deleted -> log.info("Deleting table {}", table)),
                        ResourceNotFoundException.class::isInstance)
                .thenCompose(deleted -> await(table, Objects::isNull));
    }

    /**
     * Compares the table with its description; a difference fails with {@link StoreException.Refused} that names all of
     * them. Without the permission to look, a warning is logged and all is taken to be well.
     */
    public CompletionStage<Void> verify(TableSpec spec) {
        return describe(spec.name())
                .handle((table, failure) -> {
                    if (failure == null) {
                        return compared(spec, table);
                    }
                    Throwable cause = Failures.unwrap(failure);
                    if (isDenied(cause)) {
                        log.warn(
                                "Table {} is not checked, because the permission dynamodb:DescribeTable is missing ({})",
                                spec.name(),
                                cause.getMessage());
                        return CompletableFuture.<Void>completedFuture(null);
                    }
                    return CompletableFuture.<Void>failedFuture(translated(spec.name(), "checked", cause));
                })
                .thenCompose(Function.identity());
    }

    /**
     * Which of several descriptions of one table has the key that the table has. The first, if there is no such table, if
     * none has its key, or without the permission to look: what is done next then tells.
     */
    public CompletionStage<TableSpec> keyed(List<TableSpec> specs) {
        TableSpec first = specs.get(0);
        return describe(first.name()).handle((table, failure) -> {
            if (failure != null) {
                log.warn(
                        "Whose table {} is could not be seen ({}); it is taken for one with the key {}",
                        first.name(),
                        Failures.unwrap(failure).getMessage(),
                        first.hash().name());
            }
            return table == null
                    ? first
                    : specs.stream()
                            .filter(spec -> keyDifferences(spec, table).isEmpty())
                            .findFirst()
                            .orElse(first);
        });
    }

    private static List<String> keyDifferences(TableSpec spec, TableDescription table) {
        List<String> found = new ArrayList<>();
        compareKeys("the table", spec.hash(), spec.range(), table.keySchema(), types(table), found);
        return found;
    }

    private static Map<String, String> types(TableDescription table) {
        return table.attributeDefinitions().stream()
                .collect(Collectors.toMap(
                        AttributeDefinition::attributeName, AttributeDefinition::attributeTypeAsString));
    }

    private static CompletableFuture<Void> compared(TableSpec spec, @Nullable TableDescription table) {
        if (table == null) {
            return CompletableFuture.failedFuture(new StoreException.Refused(
                    "Table " + spec.name() + " does not exist. Create it with create-tables = on, or with:\n"
                            + spec.awsCommands(),
                    null));
        }
        List<String> differences = differences(spec, table);
        return differences.isEmpty()
                ? CompletableFuture.completedFuture(null)
                : CompletableFuture.failedFuture(new StoreException.Refused(
                        "Table " + spec.name() + " has another shape than it must have: "
                                + String.join("; ", differences) + ". (check-tables = off skips this check.)",
                        null));
    }

    static List<String> differences(TableSpec spec, TableDescription table) {
        Map<String, String> types = types(table);
        List<String> found = keyDifferences(spec, table);
        for (TableSpec.Index index : spec.indexes()) {
            table.globalSecondaryIndexes().stream()
                    .filter(there -> there.indexName().equals(index.name()))
                    .findFirst()
                    .ifPresentOrElse(
                            there -> compareIndex(index, there, types, found),
                            () -> found.add("index " + index.name() + " is missing (add it, or switch it off in the"
                                    + " settings)"));
        }
        for (TableSpec.LocalIndex index : spec.localIndexes()) {
            table.localSecondaryIndexes().stream()
                    .filter(there -> there.indexName().equals(index.name()))
                    .findFirst()
                    .ifPresentOrElse(
                            there -> compareKeys(
                                    "index " + index.name(),
                                    spec.hash(),
                                    index.range(),
                                    there.keySchema(),
                                    types,
                                    found),
                            () -> found.add(
                                    "local index " + index.name() + " is missing, which only a new table can get"));
        }
        return found;
    }

    private static void compareIndex(
            TableSpec.Index index,
            GlobalSecondaryIndexDescription there,
            Map<String, String> types,
            List<String> found) {
        String where = "index " + index.name();
        compareKeys(where, index.hash(), index.range(), there.keySchema(), types, found);
        Projection projection = there.projection();
        boolean all = projection.projectionType() == ProjectionType.ALL;
        if (!all && !new HashSet<>(projection.nonKeyAttributes()).containsAll(index.projected())) {
            found.add(where + " holds " + projection.nonKeyAttributes() + ", not " + index.projected());
        }
    }

    private static void compareKeys(
            String where,
            TableSpec.Key hash,
            TableSpec.@Nullable Key range,
            List<KeySchemaElement> schema,
            Map<String, String> types,
            List<String> found) {
        String expected =
                hash.name() + " " + hash.type() + (range == null ? "" : ", " + range.name() + " " + range.type());
        String actual = schema.stream()
                .map(key -> key.attributeName() + " " + types.get(key.attributeName()))
                .collect(Collectors.joining(", "));
        if (!expected.equals(actual)) {
            found.add(where + " has the key (" + actual + "), not (" + expected + ")");
        }
    }

    private static CreateTableRequest request(TableSpec spec) {
        CreateTableRequest.Builder request = CreateTableRequest.builder()
                .tableName(spec.name())
                .billingMode(BillingMode.PAY_PER_REQUEST)
                .keySchema(schema(spec.hash(), spec.range()))
                .attributeDefinitions(spec.keys().stream()
                        .map(key -> AttributeDefinition.builder()
                                .attributeName(key.name())
                                .attributeType(key.type())
                                .build())
                        .toList());
        if (!spec.indexes().isEmpty()) {
            request.globalSecondaryIndexes(
                    spec.indexes().stream().map(TableAdmin::index).toList());
        }
        if (!spec.localIndexes().isEmpty()) {
            request.localSecondaryIndexes(spec.localIndexes().stream()
                    .map(index -> LocalSecondaryIndex.builder()
                            .indexName(index.name())
                            .keySchema(schema(spec.hash(), index.range()))
                            .projection(all -> all.projectionType(ProjectionType.ALL))
                            .build())
                    .toList());
        }
        return request.build();
    }

    private static GlobalSecondaryIndex index(TableSpec.Index index) {
        Projection.Builder projection = index.projectsEverything()
                        || index.projected().isEmpty()
                ? Projection.builder()
                        .projectionType(index.projectsEverything() ? ProjectionType.ALL : ProjectionType.KEYS_ONLY)
                : Projection.builder().projectionType(ProjectionType.INCLUDE).nonKeyAttributes(index.projected());
        return GlobalSecondaryIndex.builder()
                .indexName(index.name())
                .keySchema(schema(index.hash(), index.range()))
                .projection(projection.build())
                .build();
    }

    private static List<KeySchemaElement> schema(TableSpec.Key hash, TableSpec.@Nullable Key range) {
        KeySchemaElement first = KeySchemaElement.builder()
                .attributeName(hash.name())
                .keyType(KeyType.HASH)
                .build();
        return range == null
                ? List.of(first)
                : List.of(
                        first,
                        KeySchemaElement.builder()
                                .attributeName(range.name())
                                .keyType(KeyType.RANGE)
                                .build());
    }

    private CompletionStage<Void> expire(TableSpec spec) {
        String attribute = spec.timeToLive();
        if (attribute == null) {
            return CompletableFuture.completedFuture(null);
        }
        return expires(spec.name())
                .thenCompose(already -> already
                        ? CompletableFuture.completedFuture(null)
                        : client.updateTimeToLive(request -> request.tableName(spec.name())
                                        .timeToLiveSpecification(
                                                ttl -> ttl.enabled(true).attributeName(attribute)))
                                .<Void>thenApply(enabled -> null)
                                .exceptionallyCompose(failure -> afterAll(spec.name(), failure)));
    }

    private CompletionStage<Boolean> expires(String table) {
        return client.describeTimeToLive(request -> request.tableName(table)).thenApply(there -> {
            TimeToLiveStatus status = there.timeToLiveDescription().timeToLiveStatus();
            return status == TimeToLiveStatus.ENABLED || status == TimeToLiveStatus.ENABLING;
        });
    }

    /** Two processes that make one table at the same time both switch it on, and DynamoDB refuses the second. */
    private CompletionStage<Void> afterAll(String table, Throwable failure) {
        return expires(table)
                .thenCompose(meanwhile ->
                        meanwhile ? CompletableFuture.completedFuture(null) : CompletableFuture.failedFuture(failure));
    }

    private CompletionStage<Void> await(String table, Predicate<@Nullable TableDescription> reached) {
        long start = System.nanoTime();
        return Pages.drain(
                true,
                again -> describe(table).thenCompose(there -> {
                    if (reached.test(there)) {
                        return CompletableFuture.completedFuture(null);
                    }
                    if (System.nanoTime() - start > GIVE_UP_NANOS) {
                        return CompletableFuture.failedFuture(new StoreException.Unavailable(
                                "Table " + table + " did not become ready in "
                                        + TimeUnit.NANOSECONDS.toMinutes(GIVE_UP_NANOS) + " minutes",
                                null));
                    }
                    return CompletableFuture.supplyAsync(
                            () -> true, CompletableFuture.delayedExecutor(POLL_MILLIS, TimeUnit.MILLISECONDS));
                }));
    }

    private static boolean isActive(@Nullable TableDescription table) {
        return table != null && table.tableStatus() == TableStatus.ACTIVE;
    }

    /** Null if there is none. */
    private CompletionStage<@Nullable TableDescription> describe(String table) {
        return client.describeTable(request -> request.tableName(table))
                .orTimeout(ANSWER_SECONDS, TimeUnit.SECONDS)
                .handle((response, failure) -> {
                    if (failure == null) {
                        return CompletableFuture.<@Nullable TableDescription>completedFuture(response.table());
                    }
                    return Failures.unwrap(failure) instanceof ResourceNotFoundException
                            ? CompletableFuture.<@Nullable TableDescription>completedFuture(null)
                            : CompletableFuture.<@Nullable TableDescription>failedFuture(failure);
                })
                .thenCompose(Function.identity());
    }

    private static boolean isDenied(Throwable failure) {
        return failure instanceof AwsServiceException service
                && service.awsErrorDetails() != null
                && "AccessDeniedException".equals(service.awsErrorDetails().errorCode());
    }

    private static CompletionStage<Void> recover(
            String table, String done, CompletionStage<Void> stage, Predicate<Throwable> expected) {
        return stage.handle((nothing, failure) -> {
                    return failure == null || expected.test(Failures.unwrap(failure))
                            ? CompletableFuture.<Void>completedFuture(null)
                            : CompletableFuture.<Void>failedFuture(translated(table, done, Failures.unwrap(failure)));
                })
                .thenCompose(Function.identity());
    }

    /** A refusal stays what it is until somebody acts; whatever else may pass. */
    private static StoreException translated(String table, String done, Throwable failure) {
        if (failure instanceof StoreException ours) {
            return ours;
        }
        String message = "Table " + table + " could not be " + done + ": " + failure.getMessage();
        return Failures.isRetryable(failure)
                ? new StoreException.Unavailable(message, failure)
                : new StoreException.Refused(message, failure);
    }
}
