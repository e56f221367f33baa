package io.dynajournal.bench.growth;

import io.dynajournal.bench.report.DocumentSection;
import io.dynajournal.bench.report.Json;
import io.dynajournal.internal.dynamo.ClientSettings;
import io.dynajournal.internal.dynamo.Clients;
import io.dynajournal.internal.store.LogEnd;
import io.dynajournal.local.DynamoLocal;
import io.dynajournal.testkit.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.stream.LongStream;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/** The command {@code bench/growth}. */
final class Growth {

    private static final String USAGE = """
            usage: bench/growth [--events 1000000] [--ids 100000] [--document]
            --events     events in the longest log
            --ids        persistence ids in the largest store
            --document   write the figures to docs/performance.md too""";

    private static final int SMALLEST = 10;
    /** Single events at the beginning and at the end of each log. */
    private static final int SINGLES = 10;

    private static final int COMMIT = 1_000;
    private static final int CONCURRENT = 50;

    private final DynamoDbAsyncClient client;
    private final Curves logs = new Curves("events in the log");
    private final Curves stores = new Curves("ids in the store");

    private Growth(DynamoDbAsyncClient client) {
        this.client = client;
    }

    public static void main(String[] args) throws IOException {
        long events = 1_000_000;
        long ids = 100_000;
        boolean documented = false;
        try {
            Iterator<String> words = List.of(args).iterator();
            while (words.hasNext()) {
                String option = words.next();
                switch (option) {
                    case "--events" -> events = number(option, words);
                    case "--ids" -> ids = number(option, words);
                    case "--document" -> documented = true;
                    default -> throw new IllegalArgumentException("unknown option " + option);
                }
            }
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage());
            System.err.println(USAGE);
            System.exit(2);
        }
        Path root = Path.of(System.getProperty("bench.root"));
        try (DynamoLocal server = DynamoLocal.inMemory();
                DynamoDbAsyncClient client = Clients.open(ClientSettings.forEndpoint(server.endpoint()))) {
            Growth growth = new Growth(client);
            growth.growLog(SMALLEST, false);
            growth.growStore(SMALLEST, false);
            for (long size = SMALLEST; size <= events; size *= 10) {
                growth.growLog(size, true);
            }
            growth.growStore(ids, true);
            growth.write(root.resolve("bench/results"));
            if (documented) {
                DocumentSection.replace(root.resolve("docs/performance.md"), "growth", growth.markdown());
            }
        }
        System.exit(0);
    }

    private static long number(String option, Iterator<String> words) {
        if (!words.hasNext()) {
            throw new IllegalArgumentException(option + " needs a value");
        }
        return Long.parseLong(words.next());
    }

    private static void add(Curves curves, boolean counts, String operation, long size, Point point) {
        if (counts) {
            curves.add(operation, size, point);
        }
    }

    /** Measures one log in a store of its own. The first call only warms the JVM up. */
    private void growLog(long size, boolean counts) {
        System.err.println("a log of " + size + " events");
        String id = "growth|" + UUID.randomUUID();
        String writer = UUID.randomUUID().toString();
        try (GrowingStore store = new GrowingStore(client)) {
            LogEnd end = LogEnd.empty(System.currentTimeMillis());
            for (int i = 0; i < SINGLES && size > SINGLES; i++) {
                end = Await.result(store.append(id, writer, end, 1));
            }
            // A recovery also reads the commit before its snapshot, so that one has a single event at every size.
            for (long left = bulk(size, end); left > 0; left = bulk(size, end)) {
                end = Await.result(store.append(id, writer, end, (int) Math.min(COMMIT, left)));
            }
            if (size > SINGLES) {
                end = Await.result(store.append(id, writer, end, 1));
                store.saveSnapshot(id, end.seqNr());
            }
            long since = store.nowMicros();
            while (end.seqNr() < size) {
                end = Await.result(store.append(id, writer, end, 1));
            }
            add(logs, counts, "recovery after a snapshot", size, store.recovery(id, SINGLES));
            add(logs, counts, "highest sequence number", size, store.highest(id, size));
            add(logs, counts, "highest sequence number with the first events", size, store.firstEvents(id, size));
            add(logs, counts, "the last 10 by slice", size, store.slicesFrom(since, SINGLES));
            add(logs, counts, "replay of everything", size, store.replay(id, size));
            add(logs, counts, "delete of the first 5", size, store.delete(id, SINGLES / 2));
            add(logs, counts, "delete of everything", size, store.delete(id, size));
        }
    }

    /** Events that are still to be written in large commits. */
    private static long bulk(long size, LogEnd end) {
        return size - SINGLES - 1 - end.seqNr();
    }

    /** Measures one store with many ids of one event each. */
    private void growStore(long ids, boolean counts) {
        try (GrowingStore store = new GrowingStore(client)) {
            long there = 0;
            for (long size = SMALLEST; size <= ids; size *= 10) {
                System.err.println("a store of " + size + " ids");
                fill(store, there, size - SINGLES);
                long since = store.nowMicros();
                fill(store, Math.max(there, size - SINGLES), size);
                project(store, there, size);
                there = size;
                add(stores, counts, "recovery of one", size, store.recovery(id(size - 1), 1));
                add(stores, counts, "highest sequence number of one", size, store.highest(id(size - 1), 1));
                add(stores, counts, "the last 10 by slice", size, store.slicesFrom(since, SINGLES));
                add(stores, counts, "list of all ids", size, store.listing(size));
                add(stores, counts, "start of a projection", size, store.projectionStart());
                add(
                        stores,
                        counts,
                        "offsets of 10 projected events",
                        size,
                        store.projectedEvents(ids(size - SINGLES, size)));
                add(stores, counts, "delete of one", size, store.delete(id(size - 1), 1));
            }
        }
    }

    private static void fill(GrowingStore store, long from, long to) {
        List<CompletionStage<LogEnd>> pending = new ArrayList<>();
        for (long number = from; number < to; number++) {
            pending.add(store.append(
                    id(number), UUID.randomUUID().toString(), LogEnd.empty(System.currentTimeMillis()), 1));
            if (pending.size() == CONCURRENT || number == to - 1) {
                pending.forEach(Await::result);
                pending.clear();
            }
        }
    }

    private static void project(GrowingStore store, long from, long to) {
        for (long number = from; number < to; number += COMMIT) {
            store.project(ids(number, Math.min(to, number + COMMIT)));
        }
    }

    private static List<String> ids(long from, long to) {
        return LongStream.range(from, to).mapToObj(Growth::id).toList();
    }

    private static String id(long number) {
        return "growth|" + number;
    }

    private void write(Path results) throws IOException {
        Files.createDirectories(results);
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("log", logs.json());
        json.put("store", stores.json());
        Files.writeString(results.resolve("growth.json"), Json.of(json));
        Files.writeString(results.resolve("growth.md"), markdown());
        for (String measure : Curves.MEASURES) {
            Files.writeString(results.resolve("growth-log-" + measure + ".svg"), logs.plot(measure));
            Files.writeString(results.resolve("growth-store-" + measure + ".svg"), stores.plot(measure));
        }
        System.out.println(markdown());
    }

    private String markdown() {
        return "\n" + logs.markdown() + "\n" + stores.markdown() + "\n";
    }
}
