package io.dynajournal.testkit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The faults of a proxy, and the requests it has received. Thread-safe. */
final class Script {

    private static final long TIMEOUT_NANOS = Duration.ofSeconds(30).toNanos();

    /** In a batch the table is the first key of an object. Quotes inside strings are escaped, so none can match. */
    private static final Pattern TABLE = Pattern.compile("\"(?:TableName|RequestItems)\"\\s*:\\s*\\{?\\s*\"([^\"]+)\"");

    private static final class Line {
        private final RequestMatch match;
        private final int after;
        private final int times;
        private final Fault fault;
        private int passed;
        private int used;

        Line(RequestMatch match, int after, int times, Fault fault) {
            this.match = match;
            this.after = after;
            this.times = times;
            this.fault = fault;
        }

        boolean appliesTo(String operation, String body) {
            if (used == times || !match.matches(operation, body)) {
                return false;
            }
            if (passed < after) {
                passed++;
                return false;
            }
            used++;
            return true;
        }
    }

    private record Received(ProxiedRequest request, String body) {}

    /** Characters of a request that are kept to match by; a request may have megabytes. */
    private static final int KEPT_CHARS = 4096;

    private final List<Line> lines = new ArrayList<>();
    private final List<Received> received = new ArrayList<>();
    private volatile @Nullable RandomFaults random;

    void random(RandomFaults faults) {
        random = faults;
    }

    boolean isRandom() {
        return random != null;
    }

    Map<String, Long> randomCounts() {
        RandomFaults faults = random;
        return faults == null ? Map.of() : faults.counts();
    }

    synchronized void add(RequestMatch match, int after, int times, Fault fault) {
        lines.add(new Line(match, after, times, fault));
    }

    /** Records a request and returns its fault. */
    Fault next(String operation, String body) {
        RandomFaults faults = random;
        return faults == null ? nextOfScript(operation, body) : faults.next(operation);
    }

    private synchronized Fault nextOfScript(String operation, String body) {
        received.add(new Received(new ProxiedRequest(received.size() + 1, operation, table(body)), kept(body)));
        notifyAll();
        for (Line line : lines) {
            if (line.appliesTo(operation, body)) {
                return line.fault;
            }
        }
        return new Fault.None();
    }

    synchronized List<ProxiedRequest> requests(RequestMatch match) {
        return received.stream()
                .filter(each -> match.matches(each.request().operation(), each.body()))
                .map(Received::request)
                .toList();
    }

    synchronized void awaitRequests(RequestMatch match, int count) {
        long deadline = System.nanoTime() + TIMEOUT_NANOS;
        try {
            while (requests(match).size() < count) {
                long left = (deadline - System.nanoTime()) / 1_000_000;
                if (left <= 0) {
                    throw new AssertionError(requests(match).size() + " of " + count
                            + " requests arrived; all requests: " + requests(RequestMatch.all()));
                }
                wait(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    /** Lines that no request has used: a test that passes without its fault proves nothing. */
    synchronized List<String> unused() {
        return lines.stream()
                .filter(line -> line.used == 0)
                .map(line -> line.fault + " on " + line.match)
                .toList();
    }

    synchronized void clear() {
        lines.clear();
    }

    private static String kept(String body) {
        return body.length() <= KEPT_CHARS ? body : body.substring(0, KEPT_CHARS);
    }

    private static String table(String body) {
        Matcher matcher = TABLE.matcher(body);
        return matcher.find() ? matcher.group(1) : "";
    }
}
