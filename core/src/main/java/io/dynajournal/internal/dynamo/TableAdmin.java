package io.dynajournal.internal.dynamo;

import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.store.Pages;
import io.dynajournal.internal.store.Stages;
import io.dynajournal.listener.Operation;
import io.dynajournal.listener.RequestListener;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.CreateTableRequest;
import software.amazon.awssdk.services.dynamodb.model.DeleteTableRequest;
import software.amazon.awssdk.services.dynamodb.model.DescribeTableRequest;
import software.amazon.awssdk.services.dynamodb.model.DescribeTimeToLiveRequest;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbResponse;
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
import software.amazon.awssdk.services.dynamodb.model.UpdateTimeToLiveRequest;

/**
 * Creates tables from their {@link TableSpec} and compares them with it. Requests are retried and reported like all others. A stage
 * fails with a {@link StoreException}. Thread-safe; does not own the client.
 */
public final class TableAdmin {

    private static final Logger log = LoggerFactory.getLogger(TableAdmin.class);
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(250);
    private static final long READY_MINUTES = 10;

    private final DynamoDbAsyncClient client;
    private final RequestExecutor executor;
    private final SdkRequestSender sdk;

    /** With the default retries and no listener. */
    public TableAdmin(DynamoDbAsyncClient client) {
        this(AwsClient.of(client));
    }

    private TableAdmin(AwsClient client) {
        this(
                client.sdk(),
                new RequestExecutor(client, RetrySettings.DEFAULTS, RequestListener.NONE, Clock.systemUTC()),
                client.sdkSender());
    }

    TableAdmin(DynamoDbAsyncClient client, RequestExecutor executor, SdkRequestSender sdk) {
        this.client = client;
        this.executor = executor;
        this.sdk = sdk;
    }

    /** Creates the table unless it exists, and waits until it is active and its time to live is enabled. */
    public CompletionStage<Void> create(TableSpec spec) {
        return ignoring(
                        ResourceInUseException.class,
                        send(Operation.CREATE_TABLE, spec.name(), request(spec), client::createTable)
                                .thenAccept(created -> log.info("Creating table {}", spec.name())))
                .thenCompose(created -> await(spec.name(), "active", TableAdmin::isActive))
                .thenCompose(active -> enableTimeToLive(spec));
    }

    /** Deletes the table if it exists, and waits until it is gone. */
    public CompletionStage<Void> delete(String table) {
        return ignoring(
                        ResourceNotFoundException.class,
                        send(
                                        Operation.DELETE_TABLE,
                                        table,
                                        DeleteTableRequest.builder()
                                                .tableName(table)
                                                .build(),
                                        client::deleteTable)
                                .thenAccept(deleted -> log.info("Deleting table {}", table)))
                .thenCompose(deleted -> await(table, "deleted", Objects::isNull));
    }

    /**
     * Compares the table with its description. Fails with {@link StoreException.Refused} that names every difference, or the
     * commands that create a missing table. Without the permission to describe the table only a warning is logged.
     */
    public CompletionStage<Void> verify(TableSpec spec) {
        return verify(spec, "the AWS commands that Tables.describe returns.");
    }

    /**
     * The same, with the commands in the message.
     *
     * @param complete what the commands create, which may have more than what is compared
     * @param awsOptions options of the commands, as in {@link TableSpec#awsCommands}
     */
    public CompletionStage<Void> verify(TableSpec spec, TableSpec complete, String awsOptions) {
        return verify(spec, complete.awsCommandLine(awsOptions));
    }

    private CompletionStage<Void> verify(TableSpec spec, String commands) {
        return describe(spec.name())
                .handle((table, failure) -> {
                    if (failure == null) {
                        return table == null ? missing(spec.name(), commands) : compared(spec, table);
                    }
                    Throwable cause = Stages.unwrap(failure);
                    if (isDenied(cause)) {
                        log.warn(
                                "Table {} is not checked, because the permission dynamodb:DescribeTable is missing: {}",
                                spec.name(),
                                cause.getMessage());
                        return CompletableFuture.<Void>completedFuture(null);
                    }
                    return CompletableFuture.<Void>failedFuture(cause);
                })
                .thenCompose(Function.identity());
    }

    /**
     * Whether the table removes expired items. Also true if that is not known, because the permission to ask for it is missing;
     * then a warning is logged.
     */
    public CompletionStage<Boolean> removesExpiredItems(TableSpec spec) {
        return hasTimeToLive(spec.name())
                .handle((enabled, failure) -> {
                    if (failure == null) {
                        return CompletableFuture.completedFuture(enabled);
                    }
                    Throwable cause = Stages.unwrap(failure);
                    if (isDenied(cause)) {
                        log.warn(
                                "Whether time to live is enabled on table {} is not checked, because the permission"
                                        + " dynamodb:DescribeTimeToLive is missing",
                                spec.name());
                        return CompletableFuture.completedFuture(true);
                    }
                    return CompletableFuture.<Boolean>failedFuture(cause);
                })
                .thenCompose(Function.identity());
    }

    /** The message for a table whose expired items are not removed. */
    public static String timeToLiveIsOff(TableSpec spec) {
        return "Table " + spec.name()
                + " has no time to live enabled, so that DynamoDB does not remove expired items. Enable it"
                + " on the attribute " + spec.timeToLive() + ", with Tables.create or: aws dynamodb update-time-to-live"
                + " --table-name " + spec.name() + " --time-to-live-specification Enabled=true,AttributeName="
                + spec.timeToLive();
    }

    /**
     * Identifies the table: one of the same name in another account, in another region, or created after this one was deleted has
     * another identity. Empty if there is no such table. Requires the permission to describe it.
     */
    public CompletionStage<Optional<String>> identity(String table) {
        return describe(table)
                .thenApply(found -> found == null
                        ? Optional.empty()
                        : Optional.of(found.tableArn() + ", "
                                + (found.tableId() == null
                                        ? "created " + found.creationDateTime()
                                        : "id " + found.tableId())));
    }

    /** The size of a table; fails with {@link StoreException.Refused} if there is none. Requires the permission to describe it. */
    public CompletionStage<TableFigures> figures(String table) {
        return describe(table).thenApply(found -> {
            if (found == null) {
                throw new StoreException.Refused("There is no table " + table + ". Nothing was read.", null);
            }
            long indexBytes = found.globalSecondaryIndexes().stream()
                            .mapToLong(index -> orZero(index.indexSizeBytes()))
                            .sum()
                    + found.localSecondaryIndexes().stream()
                            .mapToLong(index -> orZero(index.indexSizeBytes()))
                            .sum();
            return new TableFigures(table, orZero(found.itemCount()), orZero(found.tableSizeBytes()), indexBytes);
        });
    }

    /** A new index has no size yet. */
    private static long orZero(@Nullable Long value) {
        return value == null ? 0 : value;
    }

    /**
     * The number of items by DynamoDB's own count, which on AWS is up to six hours old. Empty if there is no such table or index.
     *
     * @param index counts the items of this index; null for those of the table
     */
    public CompletionStage<OptionalLong> itemCount(String table, @Nullable String index) {
        return describe(table).thenApply(found -> found == null ? OptionalLong.empty() : itemCount(found, index));
    }

    private static OptionalLong itemCount(TableDescription table, @Nullable String index) {
        return index == null
                ? OptionalLong.of(table.itemCount())
                : table.globalSecondaryIndexes().stream()
                        .filter(found -> found.indexName().equals(index))
                        .mapToLong(GlobalSecondaryIndexDescription::itemCount)
                        .findFirst();
    }

    /**
     * Chooses the description whose key the existing table has. The first one if the table does not exist, if none has its key, or
     * without the permission to describe it.
     */
    public CompletionStage<TableSpec> withExistingKey(List<TableSpec> specs) {
        TableSpec first = specs.get(0);
        return describe(first.name()).handle((table, failure) -> {
            if (failure != null) {
                log.warn(
                        "The key of table {} could not be read, so that the key attribute {} is assumed: {}",
                        first.name(),
                        first.hash().name(),
                        Stages.unwrap(failure).getMessage());
            }
            return table == null
                    ? first
                    : specs.stream()
                            .filter(spec -> keyDifferences(spec, table).isEmpty())
                            .findFirst()
                            .orElse(first);
        });
    }

    /**
     * How the key of the table differs from that of its description; empty if it is the same, if there is no such table, or without the
     * permission to describe it.
     */
    public CompletionStage<Optional<String>> keyDifference(TableSpec spec) {
        return describe(spec.name())
                .handle((table, failure) -> {
                    if (failure == null) {
                        return CompletableFuture.completedFuture(
                                table == null
                                        ? Optional.<String>empty()
                                        : keyDifferences(spec, table).stream().findFirst());
                    }
                    Throwable cause = Stages.unwrap(failure);
                    return isDenied(cause)
                            ? CompletableFuture.completedFuture(Optional.<String>empty())
                            : CompletableFuture.<Optional<String>>failedFuture(cause);
                })
                .thenCompose(Function.identity());
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

    private static CompletableFuture<Void> missing(String table, String commands) {
        return CompletableFuture.failedFuture(new StoreException.Refused(
                "Table " + table + " does not exist. Create it with create-tables = on, with Tables.create, or with "
                        + commands,
                null));
    }

    private static CompletableFuture<Void> compared(TableSpec spec, TableDescription table) {
        List<String> differences = differences(spec, table);
        return differences.isEmpty()
                ? CompletableFuture.completedFuture(null)
                : CompletableFuture.failedFuture(new StoreException.Refused(
                        "Table " + spec.name() + " does not have the expected schema: " + String.join("; ", differences)
                                + ". (check-tables = off skips this check.)",
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
                            () -> found.add("index " + index.name() + " is missing (add it, or disable it in the"
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
                            () -> found.add("local index " + index.name()
                                    + " is missing, which can only be created with the" + " table"));
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
            found.add(where + " projects " + projection.nonKeyAttributes() + ", not " + index.projected());
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

    private CompletionStage<Void> enableTimeToLive(TableSpec spec) {
        String attribute = spec.timeToLive();
        if (attribute == null) {
            return CompletableFuture.completedFuture(null);
        }
        UpdateTimeToLiveRequest request = UpdateTimeToLiveRequest.builder()
                .tableName(spec.name())
                .timeToLiveSpecification(ttl -> ttl.enabled(true).attributeName(attribute))
                .build();
        return hasTimeToLive(spec.name())
                .thenCompose(enabled -> enabled
                        ? CompletableFuture.completedFuture(null)
                        : send(Operation.UPDATE_TIME_TO_LIVE, spec.name(), request, client::updateTimeToLive)
                                .<Void>thenApply(done -> null)
                                .exceptionallyCompose(failure -> unlessEnabled(spec.name(), failure)));
    }

    private CompletionStage<Boolean> hasTimeToLive(String table) {
        return send(
                        Operation.DESCRIBE_TIME_TO_LIVE,
                        table,
                        DescribeTimeToLiveRequest.builder().tableName(table).build(),
                        client::describeTimeToLive)
                .thenApply(response -> {
                    TimeToLiveStatus status = response.timeToLiveDescription().timeToLiveStatus();
                    return status == TimeToLiveStatus.ENABLED || status == TimeToLiveStatus.ENABLING;
                });
    }

    /** Another process that creates the same table may have enabled it first; DynamoDB rejects the second request. */
    private CompletionStage<Void> unlessEnabled(String table, Throwable failure) {
        return hasTimeToLive(table)
                .thenCompose(enabled ->
                        enabled ? CompletableFuture.completedFuture(null) : CompletableFuture.failedFuture(failure));
    }

    private CompletionStage<Void> await(String table, String state, Predicate<@Nullable TableDescription> reached) {
        long start = executor.threads().nanoTime();
        return Pages.drain(
                true,
                again -> describe(table).thenCompose(found -> {
                    if (reached.test(found)) {
                        return CompletableFuture.completedFuture(null);
                    }
                    if (executor.threads().nanoTime() - start > TimeUnit.MINUTES.toNanos(READY_MINUTES)) {
                        return CompletableFuture.failedFuture(new StoreException.Unavailable(
                                "Table " + table + " is still not " + state + " after " + READY_MINUTES
                                        + " minutes; it is "
                                        + (found == null ? "missing" : found.tableStatusAsString()) + ".",
                                null,
                                StoreException.Outcome.UNKNOWN));
                    }
                    CompletableFuture<Boolean> next = new CompletableFuture<>();
                    executor.threads().after(POLL_NANOS, () -> next.complete(true));
                    return next;
                }));
    }

    private static boolean isActive(@Nullable TableDescription table) {
        return table != null && table.tableStatus() == TableStatus.ACTIVE;
    }

    /** Null if there is no such table. */
    private CompletionStage<@Nullable TableDescription> describe(String table) {
        return send(
                        Operation.DESCRIBE_TABLE,
                        table,
                        DescribeTableRequest.builder().tableName(table).build(),
                        client::describeTable)
                .handle((response, failure) -> {
                    if (failure == null) {
                        return CompletableFuture.<@Nullable TableDescription>completedFuture(response.table());
                    }
                    return Stages.unwrap(failure).getCause() instanceof ResourceNotFoundException
                            ? CompletableFuture.<@Nullable TableDescription>completedFuture(null)
                            : CompletableFuture.<@Nullable TableDescription>failedFuture(failure);
                })
                .thenCompose(Function.identity());
    }

    private <R extends DynamoDbRequest, T extends DynamoDbResponse> CompletionStage<T> send(
            Operation operation, String table, R request, Function<R, CompletableFuture<T>> send) {
        return executor.execute(
                new Request<>(operation, table, request, sent -> sdk.answer(send.apply(sent), response -> List.of())));
    }

    private static boolean isDenied(Throwable failure) {
        return failure.getCause() != null && Failures.isAccessDenied(failure.getCause());
    }

    private static CompletionStage<Void> ignoring(
            Class<? extends DynamoDbException> expected, CompletionStage<Void> stage) {
        return stage.handle((done, failure) -> {
                    return failure == null
                                    || expected.isInstance(
                                            Stages.unwrap(failure).getCause())
                            ? CompletableFuture.<Void>completedFuture(null)
                            : CompletableFuture.<Void>failedFuture(failure);
                })
                .thenCompose(Function.identity());
    }
}
