package io.dynajournal.slices;

import io.dynajournal.model.SliceRange;
import io.dynajournal.store.SliceRows.RowPage;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;

/**
 * A consumer with its reader in virtual time. It stores the offset of what it has had, is killed now and then, and goes on
 * from there with a new reader. It finds what must not happen: an event twice in a run, out of order, or skipped.
 */
final class SimulatedQuery {

    /** What of an id has been delivered, and when it was written. */
    private record Offset(long micros, String id, long seqNr) {}

    private record Arrival(long at, Ask ask, Object answer) {}

    private final SimulatedIndex index;
    private final ReaderSettings settings;
    private final Random random;
    private final long readerSkew;
    private final long requestTime;
    private final boolean answersTable;
    private final boolean dies;

    final Map<String, Long> processed = new HashMap<>();
    final List<String> problems = new ArrayList<>();
    long repeats;
    long missed;
    int mostKnown;
    private boolean killed;
    private long throttledUntil;
    private Offset offset = new Offset(-1, "", 0);

    /**
     * @param answersTable false for a reader that does not look for what it missed
     * @param dies whether it may be killed between two events of a write
     */
    SimulatedQuery(
            SimulatedIndex index,
            ReaderSettings settings,
            Random random,
            SimulatedIndex.Weather weather,
            boolean answersTable,
            boolean dies) {
        this.index = index;
        this.settings = settings;
        this.random = random;
        this.readerSkew = random.nextLong(-weather.skew(), weather.skew() + 1);
        this.requestTime = weather.requestTime();
        this.answersTable = answersTable;
        this.dies = dies;
    }

    /** One run of a live reader. Gives the time at which it ended. */
    long run(long from, long to) {
        SliceReader reader = new SliceReader(settings, SliceRange.ALL, start(), true, row -> true);
        reader.add(index.partitions());
        long resumedAt = start().fromMicros();
        Map<String, Long> inThisRun = new HashMap<>();
        PriorityQueue<Arrival> arrivals = new PriorityQueue<>(Comparator.comparingLong(Arrival::at));
        long now = from;
        long asleepUntil = 0;
        killed = false;
        while (now < to && !killed) {
            if (now >= asleepUntil) {
                for (Delivery delivery : reader.take(1 + random.nextInt(20))) {
                    if (!killed) {
                        deliver(delivery, inThisRun, resumedAt);
                    }
                }
                mostKnown = Math.max(mostKnown, reader.knownIds());
                if (now < index.end() && random.nextInt(50) == 0) {
                    asleepUntil = now + random.nextLong(8_000_000);
                }
            }
            long clock = now + readerSkew;
            for (Ask ask : reader.asks(clock)) {
                arrivals.add(arrival(ask, now));
            }
            long next = Math.min(to, Math.max(now + 1_000, Math.min(now + 250_000, reader.askAt() - readerSkew)));
            Arrival first = arrivals.peek();
            now = first == null ? next : Math.max(now + 1, Math.min(next, first.at()));
            while (first != null && first.at() <= now) {
                arrivals.remove();
                answer(reader, first, now + readerSkew);
                first = arrivals.peek();
            }
        }
        missed += reader.missedSoFar();
        return now;
    }

    private Start start() {
        return offset.micros() < 0
                ? Start.BEGINNING
                : Start.behind(offset.micros(), Map.of(offset.id(), offset.seqNr()), settings);
    }

    /** The answer is what was there some time between question and arrival. */
    private Arrival arrival(Ask ask, long now) {
        long read = now + random.nextLong(requestTime / 8 + 1);
        long at = read + random.nextLong(requestTime / 8 + 1);
        if (random.nextInt(60) == 0) {
            throttledUntil = now + random.nextLong(40_000_000);
        }
        boolean throttled = now < Math.min(throttledUntil, index.end())
                && ask instanceof Ask.OfIndex page
                && page.partition().name().equals("p1");
        if (throttled || random.nextInt(100) == 0) {
            return new Arrival(at, ask, "failed");
        }
        return ask instanceof Ask.OfIndex page
                ? new Arrival(at, ask, index.page(page, read))
                : new Arrival(at, ask, answersTable ? index.between((Ask.OfTable) ask, read) : List.of());
    }

    @SuppressWarnings("unchecked")
    private static void answer(SliceReader reader, Arrival arrival, long clock) {
        if (arrival.answer().equals("failed")) {
            reader.failed(arrival.ask(), clock);
        } else if (arrival.ask() instanceof Ask.OfIndex ask) {
            reader.answered(ask, (RowPage) arrival.answer(), clock);
        } else if (arrival.ask() instanceof Ask.OfTable ask) {
            reader.answered(ask, (List<io.dynajournal.store.SliceRow>) arrival.answer());
        }
    }

    private void deliver(Delivery delivery, Map<String, Long> inThisRun, long resumedAt) {
        String id = delivery.row().persistenceId();
        for (long number = delivery.fromSeqNr(); number <= delivery.row().endSeqNr(); number++) {
            long last = inThisRun.getOrDefault(id, 0L);
            if (number <= last) {
                problems.add(id + " " + number + " twice or out of order in a run, after " + last);
            }
            inThisRun.put(id, number);
            long had = processed.getOrDefault(id, 0L);
            if (number > had + 1) {
                problems.add(id + " " + number + " after " + had);
            } else if (number <= had) {
                repeats++;
                if (delivery.row().timestampMicros() < resumedAt) {
                    problems.add(id + " " + number + " repeated from outside the window");
                }
            }
            processed.merge(id, number, Math::max);
            offset = new Offset(delivery.row().timestampMicros(), id, number);
            if (dies && number < delivery.row().endSeqNr() && random.nextInt(100) == 0) {
                killed = true; // inside a write
                return;
            }
        }
    }

    /** Ids whose last events have not come. */
    List<String> behind() {
        List<String> behind = new ArrayList<>();
        index.logs().forEach((id, log) -> {
            long end = log.get(log.size() - 1).row().endSeqNr();
            if (processed.getOrDefault(id, 0L) < end) {
                behind.add(id + " ends at " + end + ", delivered to " + processed.getOrDefault(id, 0L));
            }
        });
        return behind;
    }
}
