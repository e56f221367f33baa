package io.dynajournal.internal.direct;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.dynajournal.internal.dynamo.Answer;
import io.dynajournal.internal.dynamo.RawPage;
import io.dynajournal.internal.dynamo.ScriptedServer;
import io.dynajournal.internal.dynamo.ScriptedServer.Reply;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.core.SdkField;
import software.amazon.awssdk.core.SdkPojo;
import software.amazon.awssdk.http.nio.netty.NettyNioAsyncHttpClient;
import software.amazon.awssdk.protocols.jsoncore.JsonNode;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchExecuteStatementRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchExecuteStatementResponse;
import software.amazon.awssdk.services.dynamodb.model.BatchStatementRequest;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.ProvisionedThroughputExceededException;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemResponse;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.ThrottlingException;

/** What goes directly says and understands what the SDK says and understands. */
final class SameAsSdkTest {

    private static final Set<String> BEFORE_EXPRESSIONS =
            Set.of("Expected", "ConditionalOperator", "KeyConditions", "QueryFilter", "AttributesToGet");

    private static final ScriptedServer server = new ScriptedServer();
    private static final Connected connected =
            new Connected(server, NettyNioAsyncHttpClient.builder().build()).ready();

    @AfterAll
    static void close() {
        connected.close();
        server.close();
    }

    private static final Map<String, AttributeValue> ITEM = new LinkedHashMap<>(Map.of(
            "text", AttributeValue.fromS("a \"quoted\" \\ line\n\tand \u0001 \u007f é ß 中 \uD83D\uDE00 end"),
            "empty", AttributeValue.fromS(""),
            "number", AttributeValue.fromN("-12345678901234567890.5"),
            "bytes", AttributeValue.fromB(SdkBytes.fromByteArray(new byte[] {0, 1, -1, 127, -128})),
            "flag", AttributeValue.fromBool(false),
            "null", AttributeValue.fromNul(true),
            "texts", AttributeValue.fromSs(List.of("a", "b")),
            "numbers", AttributeValue.fromNs(List.of("1", "2")),
            "binaries", AttributeValue.fromBs(List.of(SdkBytes.fromUtf8String("x"), SdkBytes.fromUtf8String(""))),
            "list",
                    AttributeValue.fromL(List.of(
                            AttributeValue.fromS("in"),
                            AttributeValue.fromL(List.of()),
                            AttributeValue.fromM(Map.of("k\"", AttributeValue.fromN("1")))))));

    private static final Map<String, String> NAMES = Map.of("#a", "aß", "#b", "b");

    private static final PutItemRequest PUT = PutItemRequest.builder()
            .tableName("täble")
            .item(ITEM)
            .conditionExpression("attribute_not_exists(#a)")
            .expressionAttributeNames(NAMES)
            .expressionAttributeValues(ITEM)
            .returnValues("ALL_OLD")
            .returnValuesOnConditionCheckFailure("ALL_OLD")
            .returnConsumedCapacity("INDEXES")
            .returnItemCollectionMetrics("SIZE")
            .build();

    private static final QueryRequest QUERY = QueryRequest.builder()
            .tableName("t")
            .indexName("i")
            .select("ALL_ATTRIBUTES")
            .limit(7)
            .consistentRead(true)
            .scanIndexForward(false)
            .exclusiveStartKey(ITEM)
            .returnConsumedCapacity("INDEXES")
            .projectionExpression("a, b")
            .filterExpression("a > :a")
            .keyConditionExpression("b = :b")
            .expressionAttributeNames(NAMES)
            .expressionAttributeValues(ITEM)
            .build();

    private static final BatchStatementRequest STATEMENT = BatchStatementRequest.builder()
            .statement("INSERT INTO \"t\" VALUE {'a':?}")
            .parameters(ITEM.values())
            .consistentRead(true)
            .returnValuesOnConditionCheckFailure("ALL_OLD")
            .build();

    private static final BatchExecuteStatementRequest STATEMENTS = BatchExecuteStatementRequest.builder()
            .statements(
                    STATEMENT, BatchStatementRequest.builder().statement("x").build())
            .returnConsumedCapacity("INDEXES")
            .build();

    /** So that a parameter which a later SDK brings is not left out unnoticed. */
    @Test
    void theRequestsHereSayAllThatCanBeSaid() {
        for (SdkPojo request : List.of(PUT, QUERY, STATEMENT, STATEMENTS)) {
            assertThat(request.sdkFields().stream()
                            .filter(field -> !BEFORE_EXPRESSIONS.contains(field.memberName()))
                            .filter(field -> isUnset(field, request))
                            .map(SdkField::memberName)
                            .toList())
                    .as(request.getClass().getSimpleName())
                    .isEmpty();
        }
    }

    private static boolean isUnset(SdkField<?> field, SdkPojo request) {
        Object value = field.getValueOrDefault(request);
        return value == null || (value instanceof Map<?, ?> map && map.isEmpty());
    }

    @Test
    void requestsSayTheSame() {
        connected.sdk.putItem(PUT).join();
        same(RequestWriter.put(PUT));
        connected.sdk.query(QUERY).join();
        same(RequestWriter.query(QUERY));
        connected.sdk.batchExecuteStatement(STATEMENTS).join();
        same(RequestWriter.statements(STATEMENTS));
    }

    @Test
    void whatIsNotSaidIsNotSent() {
        PutItemRequest put =
                PutItemRequest.builder().tableName("t").item(Map.of()).build();
        connected.sdk.putItem(put).join();
        same(RequestWriter.put(put));
        QueryRequest query = QueryRequest.builder().tableName("t").build();
        connected.sdk.query(query).join();
        same(RequestWriter.query(query));
    }

    @Test
    void anyItemIsWrittenTheSame() {
        Random random = new Random(20261116);
        for (int i = 0; i < 200; i++) {
            PutItemRequest put = PutItemRequest.builder()
                    .tableName("t")
                    .item(item(random, 3))
                    .build();
            connected.sdk.putItem(put).join();
            same(RequestWriter.put(put));
        }
    }

    private static void same(byte[] ours) {
        assertThat(JsonNode.parser().parse(ours))
                .isEqualTo(JsonNode.parser().parse(server.last().body()));
    }

    private static Map<String, AttributeValue> item(Random random, int depth) {
        Map<String, AttributeValue> item = new HashMap<>();
        IntStream.range(0, random.nextInt(5)).forEach(i -> item.put(text(random), value(random, depth)));
        return item;
    }

    private static AttributeValue value(Random random, int depth) {
        return switch (random.nextInt(depth > 0 ? 7 : 5)) {
            case 0 -> AttributeValue.fromS(text(random));
            case 1 -> AttributeValue.fromN(Long.toString(random.nextLong()));
            case 2 -> AttributeValue.fromB(SdkBytes.fromByteArray(bytes(random)));
            case 3 -> AttributeValue.fromBool(random.nextBoolean());
            case 4 -> AttributeValue.fromSs(List.of(text(random), text(random)));
            case 5 -> AttributeValue.fromL(List.of(value(random, depth - 1), value(random, depth - 1)));
            default -> AttributeValue.fromM(item(random, depth - 1));
        };
    }

    private static byte[] bytes(Random random) {
        byte[] bytes = new byte[random.nextInt(100)];
        random.nextBytes(bytes);
        return bytes;
    }

    private static String text(Random random) {
        return random.ints(random.nextInt(30), 0, 0x2ffff)
                .map(point -> random.nextInt(3) > 0 ? point % 128 : point)
                .filter(point -> point < 0xd800 || point > 0xdfff)
                .mapToObj(Character::toString)
                .collect(Collectors.joining());
    }

    private static final String CAPACITY = """
            {"TableName":"t","CapacityUnits":3.5,"ReadCapacityUnits":1.0,"WriteCapacityUnits":2.5e0,
             "Table":{"CapacityUnits":1.5,"ReadCapacityUnits":0.5,"WriteCapacityUnits":1},
             "LocalSecondaryIndexes":{"l":{"CapacityUnits":1}},"GlobalSecondaryIndexes":{"g":{"CapacityUnits":1.0}}}""";

    private static String json(Map<String, AttributeValue> item) {
        JsonWriter json = new JsonWriter(64);
        Attributes.write(json, item);
        return new String(json.bytes(), StandardCharsets.UTF_8);
    }

    /** For the SDK and for us. */
    private static void twice(Reply reply, Runnable calls) {
        server.then(reply);
        server.then(reply);
        calls.run();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"Attributes\":ITEM}",
                " { \"New\" : [ {\"a\":[1,-2.5e3,true,null]} , \"x\" ] ,\n"
                        + " \"ConsumedCapacity\" : CAPACITY , \"Attributes\" : null }"
            })
    void answersToPutsMeanTheSame(String body) {
        Reply reply = Reply.of(200, filled(body));
        twice(reply, () -> {
            PutItemResponse sdk = connected.sdk.putItem(PUT).join();
            Answer<Map<String, AttributeValue>> direct =
                    connected.direct.put(PUT).join();
            assertThat(direct.value()).isEqualTo(sdk.attributes());
            assertThat(direct.capacity())
                    .isEqualTo(
                            Optional.ofNullable(sdk.consumedCapacity()).stream().toList());
            // The server writes its own; between the two a second may pass.
            assertThat(direct.date()).matches("\\w{3}, \\d{2} \\w{3} \\d{4} \\d{2}:\\d{2}:\\d{2} GMT");
        });
    }

    private static String filled(String body) {
        // With escapes that a server may use and we do not.
        String item = json(ITEM)
                .replace("é", "\\u00e9")
                .replace("\uD83D\uDE00", "\\ud83d\\ude00")
                .replace("/", "\\/");
        return body.replace("ITEM", item).replace("CAPACITY", CAPACITY);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"Count\":0,\"Items\":[],\"ScannedCount\":0}",
                "{\"Count\":2,\"Items\":[ITEM,{}],\"ScannedCount\":5,\"LastEvaluatedKey\":ITEM,\"ConsumedCapacity\":CAPACITY}"
            })
    void answersToQueriesMeanTheSame(String body) {
        twice(Reply.of(200, filled(body)), () -> {
            QueryResponse sdk = connected.sdk.query(QUERY).join();
            Answer<RawPage> direct = connected.direct.query(QUERY).join();
            assertThat(direct.value().items()).isEqualTo(sdk.items());
            assertThat(direct.value().next()).isEqualTo(sdk.hasLastEvaluatedKey() ? sdk.lastEvaluatedKey() : null);
            assertThat(direct.capacity())
                    .isEqualTo(
                            Optional.ofNullable(sdk.consumedCapacity()).stream().toList());
        });
    }

    @Test
    void answersToStatementsMeanTheSame() {
        String body = "{\"Responses\":[{},{\"TableName\":\"t\",\"Item\":ITEM},{\"Error\":{\"Code\":\"DuplicateItem\","
                + "\"Message\":\"there\",\"Item\":ITEM},\"TableName\":\"t\"}],\"ConsumedCapacity\":[CAPACITY,CAPACITY]}";
        twice(Reply.of(200, filled(body)), () -> {
            BatchExecuteStatementResponse sdk =
                    connected.sdk.batchExecuteStatement(STATEMENTS).join();
            Answer<?> direct = connected.direct.execute(STATEMENTS).join();
            assertThat(direct.value()).isEqualTo(sdk.responses());
            assertThat(direct.capacity()).isEqualTo(sdk.consumedCapacity());
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "400 {\"__type\":\"com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException\",\"message\":\"m\",\"Item\":ITEM}",
                "400 {\"__type\":\"com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException\",\"message\":\"m\"}",
                "400 {\"__type\":\"com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException\",\"message\":\"m\","
                        + "\"ThrottlingReasons\":[{\"reason\":\"r\",\"resource\":\"arn\"}]}",
                "400 {\"__type\":\"com.amazonaws.dynamodb.v20120810#RequestLimitExceeded\",\"message\":\"m\","
                        + "\"ThrottlingReasons\":[{\"reason\":\"r\",\"resource\":\"arn\"}]}",
                "400 {\"__type\":\"com.amazonaws.dynamodb.v20120810#ThrottlingException\",\"message\":\"m\","
                        + "\"throttlingReasons\":[{\"reason\":\"r\",\"resource\":\"arn\"}]}",
                "400 {\"__type\":\"com.amazon.coral.validate#ValidationException\",\"message\":\"too long\"}",
                "400 {\"__type\":\"com.amazon.coral.service#AccessDeniedException\",\"Message\":\"not allowed\"}",
                "500 {\"__type\":\"com.amazonaws.dynamodb.v20120810#InternalServerError\",\"message\":\"m\"}",
                "503 {}"
            })
    void refusalsMeanTheSame(String answer) {
        Reply reply = Reply.of(Integer.parseInt(answer.substring(0, 3)), filled(answer.substring(4)))
                .with("x-amzn-RequestId", "REQ");
        twice(reply, () -> {
            AwsServiceException sdk = failure(connected.sdk.putItem(PUT));
            AwsServiceException direct = failure(connected.direct.put(PUT));
            assertThat(direct.statusCode()).isEqualTo(sdk.statusCode());
            assertThat(direct.requestId()).isEqualTo(sdk.requestId());
            assertThat(direct.awsErrorDetails().errorCode())
                    .isEqualTo(sdk.awsErrorDetails().errorCode());
            assertThat(direct.awsErrorDetails().errorMessage())
                    .isEqualTo(sdk.awsErrorDetails().errorMessage());
            assertThat(direct.isThrottlingException()).isEqualTo(sdk.isThrottlingException());
            if (sdk instanceof ConditionalCheckFailedException refused) {
                assertThat(((ConditionalCheckFailedException) direct).item()).isEqualTo(refused.item());
                assertThat(((ConditionalCheckFailedException) direct).hasItem()).isEqualTo(refused.hasItem());
            } else if (sdk instanceof ProvisionedThroughputExceededException throttled) {
                assertThat(((ProvisionedThroughputExceededException) direct).throttlingReasons())
                        .isEqualTo(throttled.throttlingReasons());
            } else if (sdk instanceof ThrottlingException throttled) {
                assertThat(((ThrottlingException) direct).throttlingReasons()).isEqualTo(throttled.throttlingReasons());
            }
        });
    }

    private static AwsServiceException failure(CompletableFuture<?> call) {
        return (AwsServiceException)
                Objects.requireNonNull(catchThrowable(call::join).getCause());
    }

    @Test
    void parametersFromBeforeExpressionsAreRefused() {
        assertThatThrownBy(() -> RequestWriter.query(
                        QUERY.toBuilder().attributesToGet("a").build()))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> RequestWriter.put(
                        PUT.toBuilder().conditionalOperator("AND").build()))
                .isInstanceOf(IllegalArgumentException.class);
    }

    /** The reader keeps names that it has seen; there are more here than it keeps, and some begin like others. */
    @Test
    void manyNamesAreToldApart() {
        Map<String, AttributeValue> item = new LinkedHashMap<>();
        String name = "";
        for (int i = 0; i < 2000; i++) {
            name = name.length() > 40 ? Integer.toString(i) : name + (char) ('a' + i % 26);
            item.put(name, AttributeValue.fromN(Integer.toString(i)));
        }
        assertThat(Attributes.read(new JsonReader(json(item).getBytes(StandardCharsets.UTF_8))))
                .isEqualTo(item);
    }

    @Test
    void halfACharacterIsRefused() {
        for (String half : Arrays.asList("\uD83D", "a\uDE00b", "\uD83Dx")) {
            assertThatThrownBy(() -> new JsonWriter(64).text(half)).isInstanceOf(IllegalArgumentException.class);
        }
    }
}
