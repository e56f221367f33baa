package io.dynajournal;

import io.dynajournal.internal.dynamo.AwsClient;
import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.layout.JournalLayout;
import io.dynajournal.internal.model.Event;
import io.dynajournal.internal.model.EventBatch;
import io.dynajournal.internal.model.SliceRange;
import io.dynajournal.internal.store.EventLog;
import io.dynajournal.internal.store.LogEnd;
import io.dynajournal.internal.store.Pages;
import io.dynajournal.internal.toolkit.PayloadSerde;
import io.dynajournal.listener.RequestListener;
import io.dynajournal.testkit.LocalDynamo;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/** Eight processes that write at the same time, with clocks that differ by seconds, each for its own share of the ids. */
final class ChaosWriters {

    private static final int WRITERS = 8;

    private final JournalLayout layout;
    private final DynamoDbAsyncClient client;
    private final PayloadSerde payloads;
    private final long seed;
    private final int ids;
    private final List<String> names;
    private final ChaosTurns turns;
    final Map<String, Long> written = new ConcurrentHashMap<>();
    /** How far the time of a commit was from when it was known to be stored, at most, in each direction. */
    final AtomicLong ahead = new AtomicLong();

    final AtomicLong behind = new AtomicLong();

    ChaosWriters(
            JournalLayout layout,
            DynamoDbAsyncClient client,
            PayloadSerde payloads,
            String entityType,
            long seed,
            int ids,
            ChaosTurns turns) {
        this(layout, client, payloads, entityType, SliceRange.ALL, seed, ids, turns);
    }

    /** @param slices where the ids are */
    ChaosWriters(
            JournalLayout layout,
            DynamoDbAsyncClient client,
            PayloadSerde payloads,
            String entityType,
            SliceRange slices,
            long seed,
            int ids) {
        this(layout, client, payloads, entityType, slices, seed, ids, new ChaosTurns(WRITERS));
    }

    private ChaosWriters(
            JournalLayout layout,
            DynamoDbAsyncClient client,
            PayloadSerde payloads,
            String entityType,
            SliceRange slices,
            long seed,
            int ids,
            ChaosTurns turns) {
        this.layout = layout;
        this.client = client;
        this.payloads = payloads;
        this.seed = seed;
        this.ids = ids;
        this.turns = turns;
        this.names = IntStream.iterate(0, i -> i + 1)
                .mapToObj(i -> entityType + "|" + i)
                .filter(slices::contains)
                .limit(ids)
                .toList();
    }

    private Duration wrongBy(int writer) {
        return Duration.ofMillis(new Random(-1 - seed * WRITERS - writer).nextInt(3_000) - 1_500);
    }

    /** By how much the clock is wrong that gives the commits of each id their time. */
    Map<String, Long> wrongMicros() {
        return IntStream.range(0, ids)
                .boxed()
                .collect(Collectors.toMap(names::get, i -> wrongBy(i % WRITERS).toNanos() / 1000));
    }

    CompletableFuture<Void> write(int events) {
        return CompletableFuture.allOf(IntStream.range(0, WRITERS)
                .mapToObj(writer -> write(writer, events / WRITERS).toCompletableFuture())
                .toArray(CompletableFuture<?>[]::new));
    }

    private CompletionStage<Void> write(int writer, int events) {
        Random random = new Random(seed * WRITERS + writer);
        Clock clock = Clock.offset(Clock.systemUTC(), wrongBy(writer));
        EventLog log = layout.open(new Dynamo(AwsClient.of(client), LocalDynamo.PATIENT, RequestListener.NONE, clock));
        String uuid = UUID.randomUUID().toString();
        Map<String, LogEnd> ends = new ConcurrentHashMap<>();
        return Pages.drain(events, left -> {
            String id = names.get(random.nextInt(ids / WRITERS) * WRITERS + writer);
            int count = Math.min(left, 1 + random.nextInt(10));
            LogEnd end = ends.getOrDefault(id, LogEnd.empty(clock.millis()));
            return events(id, end.seqNr() + 1, count, random.nextInt(10) == 0)
                    .thenCompose(batch ->
                            turns.run(() -> log.append(EventBatch.of(id, uuid, end.seqNr() + 1, batch), end)))
                    .thenApply(now -> {
                        ends.put(id, now);
                        written.put(id, now.seqNr());
                        long wrong = now.timestampMicros() / 1000 - System.currentTimeMillis();
                        ahead.accumulateAndGet(wrong, Math::max);
                        behind.accumulateAndGet(-wrong, Math::max);
                        return left - count > 0 ? left - count : null;
                    });
        });
    }

    /** Now and then too large for a row of the index. */
    private CompletionStage<List<Event>> events(String id, long first, int count, boolean large) {
        List<Event> events = new ArrayList<>();
        return Pages.drain(0, done -> {
                    if (done == count) {
                        return CompletableFuture.completedFuture(null);
                    }
                    String text = id + "/" + (first + done) + (large ? "/" + "x".repeat(2_000) : "");
                    return payloads.payload(text).thenApply(payload -> {
                        events.add(Event.of(payload));
                        return done + 1;
                    });
                })
                .thenApply(all -> events);
    }
}
