package io.dynajournal.testkit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a proxy was told to do and what it has seen. Thread-safe. */
final class Script {

    private static final long PATIENCE_NANOS = Duration.ofSeconds(30).toNanos();

    /** In a batch the table is a key of the first object. Quotes inside of strings are escaped, so none can pass for it. */
    private static final Pattern TABLE = Pattern.compile("\"(?:TableName|RequestItems)\"\\s*:\\s*\\{?\\s*\"([^\"]+)\"");

    private static final class Line {
        private final RequestMatch match;
        private final int after;
        private final int times;
        private final Fault fault;
        private int passed;
        private int met;

        Line(RequestMatch match, int after, int times, Fault fault) {
            this.match = match;
            this.after = after;
            this.times = times;
            this.fault = fault;
        }

        boolean takes(String operation, String body) {
            if (met == times || !match.matches(operation, body)) {
                return false;
            }
            if (passed < after) {
                passed++;
                return false;
            }
            met++;
            return true;
        }
    }

    private record Seen(ProxiedRequest request, String body) {}

    /** Enough to match by; commits of megabytes are not kept. */
    private static final int KEPT = 4096;

    private final List<Line> lines = new ArrayList<>();
    private final List<Seen> seen = new ArrayList<>();

    synchronized void add(RequestMatch match, int after, int times, Fault fault) {
        lines.add(new Line(match, after, times, fault));
    }

    synchronized Fault meet(String operation, String body) {
        seen.add(new Seen(new ProxiedRequest(seen.size() + 1, operation, table(body)), kept(body)));
        notifyAll();
        for (Line line : lines) {
            if (line.takes(operation, body)) {
                return line.fault;
            }
        }
        return new Fault.None();
    }

    synchronized List<ProxiedRequest> requests(RequestMatch match) {
        return seen.stream()
                .filter(one -> match.matches(one.request().operation(), one.body()))
                .map(Seen::request)
                .toList();
    }

    synchronized void awaitRequests(RequestMatch match, int count) {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        try {
            while (requests(match).size() < count) {
                long left = (deadline - System.nanoTime()) / 1_000_000;
                if (left <= 0) {
                    throw new AssertionError(requests(match).size() + " requests of " + count + " came; all: "
                            + requests(RequestMatch.all()));
                }
                wait(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    /** Lines that no request met: a test that scripts a fault and passes without it proves nothing. */
    synchronized List<String> unmet() {
        return lines.stream()
                .filter(line -> line.met == 0)
                .map(line -> line.fault + " on " + line.match)
                .toList();
    }

    synchronized void clear() {
        lines.clear();
    }

    private static String kept(String body) {
        return body.length() <= KEPT ? body : body.substring(0, KEPT);
    }

    private static String table(String body) {
        Matcher matcher = TABLE.matcher(body);
        return matcher.find() ? matcher.group(1) : "";
    }
}
