package io.dynajournal.bench.wire;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Counts how many times an entity waited for DynamoDB: the longest chain of its requests in which each began after the previous
 * one was answered. Concurrent requests count once. To be used while every response is delayed, so that concurrent requests
 * overlap however fast the server is.
 */
public final class RoundTrips {

    /** Part of the persistence ids, and so of the requests. */
    private static final Pattern ENTITY = Pattern.compile("g\\d+x\\d{6}z");

    private RoundTrips() {}

    /** The mean over the entities that made requests. */
    public static double perEntity(List<Exchange> exchanges) {
        Map<String, List<Exchange>> byEntity = new HashMap<>();
        for (Exchange exchange : exchanges) {
            Matcher entity = ENTITY.matcher(exchange.requestText());
            if (entity.find()) {
                byEntity.computeIfAbsent(entity.group(), id -> new ArrayList<>())
                        .add(exchange);
            }
        }
        return byEntity.values().stream().mapToInt(RoundTrips::chain).average().orElse(0);
    }

    /** Greedy by end: some longest chain begins with the exchange that ends first. */
    static int chain(List<Exchange> exchanges) {
        int length = 0;
        long end = Long.MIN_VALUE;
        List<Exchange> byEnd = new ArrayList<>(exchanges);
        byEnd.sort(Comparator.comparingLong(Exchange::end));
        for (Exchange exchange : byEnd) {
            if (length == 0 || exchange.begin() > end) {
                length++;
                end = exchange.end();
            }
        }
        return length;
    }
}
