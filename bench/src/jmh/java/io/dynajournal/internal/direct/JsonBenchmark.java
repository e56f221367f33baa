package io.dynajournal.internal.direct;

import io.dynajournal.internal.dynamo.Answer;
import io.dynajournal.internal.dynamo.RawPage;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;

/** Writes the body of a put, and parses a query response with 100 items like those of the native layout. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class JsonBenchmark {

    private static final int ITEMS = 100;

    @Param({"200", "2000"})
    int bytes;

    private PutItemRequest put;
    private byte[] page;

    @Setup
    public void prepare() {
        byte[] payload = new byte[bytes];
        new Random(4711).nextBytes(payload);
        Map<String, AttributeValue> item = new LinkedHashMap<>();
        item.put("pid", AttributeValue.fromS("cart|4711"));
        item.put("seq", AttributeValue.fromN("42"));
        item.put("ts", AttributeValue.fromN("1794700800000123"));
        item.put("pv", AttributeValue.fromN("1794700800000122"));
        item.put("w", AttributeValue.fromB(SdkBytes.fromByteArray(new byte[16])));
        item.put("ix", AttributeValue.fromS("cart#16#7"));
        item.put("ev", AttributeValue.fromB(SdkBytes.fromByteArray(payload)));
        put = PutItemRequest.builder()
                .tableName("journal")
                .item(item)
                .conditionExpression("attribute_not_exists(pid)")
                .returnValuesOnConditionCheckFailure("ALL_OLD")
                .build();
        JsonWriter json = new JsonWriter(64);
        Attributes.write(json, item);
        String one = new String(json.bytes(), StandardCharsets.UTF_8);
        page = ("{\"Count\":100,\"Items\":[" + (one + ",").repeat(ITEMS - 1) + one + "]}")
                .getBytes(StandardCharsets.UTF_8);
    }

    @Benchmark
    public byte[] writePut() {
        return RequestWriter.put(put);
    }

    @Benchmark
    public Answer<RawPage> readPage() {
        return new ResponseReader(page, null).query();
    }
}
