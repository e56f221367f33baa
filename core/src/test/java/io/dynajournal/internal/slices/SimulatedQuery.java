package io.dynajournal.internal.slices;

import io.dynajournal.internal.model.SliceRange;
import io.dynajournal.internal.slices.ReadRequest.IndexRead;
import io.dynajournal.internal.slices.ReadRequest.MissedCommitsRead;
import io.dynajournal.internal.store.SliceRow;
import io.dynajournal.internal.store.SliceRows.RowPage;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;

/**
 * A consumer and its reader in virtual time. The consumer stores the offset of its last event, is killed now and then, and
 * resumes from there with a new reader. It records what must not happen: an event twice in a run, out of order, or skipped.
 */
final class SimulatedQuery {

    /** The last delivered event. */
    private record Offset(long micros, String id, long seqNr) {}

    private record Response(long at, ReadRequest read, Object result) {}

    private final SimulatedIndex index;
    private final ReaderSettings settings;
    private final Random random;
    private final long readerSkew;
    private final long requestTime;
    private final boolean findsMissed;
    private final boolean isKilled;

    final Map<String, Long> processed = new HashMap<>();
    final List<String> problems = new ArrayList<>();
    long repeats;
    long gaps;
    int mostTracked;
    private boolean killed;
    private long throttledUntil;
    private Offset offset = new Offset(-1, "", 0);

    /**
     * @param findsMissed false if reads of missed commits return nothing
     * @param isKilled whether the consumer may be killed between two events of a commit
     */
    SimulatedQuery(
            SimulatedIndex index,
            ReaderSettings settings,
            Random random,
            SimulatedIndex.Conditions conditions,
            boolean findsMissed,
            boolean isKilled) {
        this.index = index;
        this.settings = settings;
        this.random = random;
        this.readerSkew = random.nextLong(-conditions.skew(), conditions.skew() + 1);
        this.requestTime = conditions.requestTime();
        this.findsMissed = findsMissed;
        this.isKilled = isKilled;
    }

    /** Runs a live reader. Returns the time at which the run ended. */
    long run(long from, long to) {
        SliceReader reader = new SliceReader(settings, SliceRange.ALL, start(), true, row -> true);
        long resumedAt = start().fromMicros();
        Map<String, Long> inThisRun = new HashMap<>();
        PriorityQueue<Response> responses = new PriorityQueue<>(Comparator.comparingLong(Response::at));
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
                mostTracked = Math.max(mostTracked, reader.trackedEntities());
                if (now < index.end() && random.nextInt(50) == 0) {
                    asleepUntil = now + random.nextLong(8_000_000);
                }
            }
            long clock = now + readerSkew;
            reader.partitionsFound(index.partitions(), clock);
            for (ReadRequest read : reader.reads(clock)) {
                responses.add(response(read, now));
            }
            long next = Math.min(to, Math.max(now + 1_000, Math.min(now + 250_000, reader.nextReadAt() - readerSkew)));
            Response first = responses.peek();
            now = first == null ? next : Math.max(now + 1, Math.min(next, first.at()));
            while (first != null && first.at() <= now) {
                responses.remove();
                receive(reader, first, now + readerSkew);
                first = responses.peek();
            }
        }
        gaps += reader.gapsFound();
        return now;
    }

    private ResumePoint start() {
        return offset.micros() < 0
                ? ResumePoint.BEGINNING
                : ResumePoint.after(offset.micros(), Map.of(offset.id(), offset.seqNr()), settings);
    }

    /** The result is what was there some time between request and response. */
    private Response response(ReadRequest read, long now) {
        long readAt = now + random.nextLong(requestTime / 8 + 1);
        long at = readAt + random.nextLong(requestTime / 8 + 1);
        if (random.nextInt(60) == 0) {
            throttledUntil = now + random.nextLong(40_000_000);
        }
        boolean throttled = now < Math.min(throttledUntil, index.end())
                && read instanceof IndexRead page
                && page.partition().name().equals("p1");
        if (throttled || random.nextInt(100) == 0) {
            return new Response(at, read, "failed");
        }
        return read instanceof IndexRead page
                ? new Response(at, read, index.page(page, readAt))
                : new Response(at, read, findsMissed ? index.between((MissedCommitsRead) read, readAt) : List.of());
    }

    @SuppressWarnings("unchecked")
    private static void receive(SliceReader reader, Response response, long clock) {
        if (response.result().equals("failed")) {
            reader.failed(response.read(), clock);
        } else if (response.read() instanceof IndexRead read) {
            reader.received(read, (RowPage) response.result(), clock);
        } else if (response.read() instanceof MissedCommitsRead read) {
            reader.received(read, (List<SliceRow>) response.result());
        }
    }

    private void deliver(Delivery delivery, Map<String, Long> inThisRun, long resumedAt) {
        String id = delivery.row().persistenceId();
        for (long seqNr = delivery.fromSeqNr(); seqNr <= delivery.row().endSeqNr(); seqNr++) {
            long last = inThisRun.getOrDefault(id, 0L);
            if (seqNr <= last) {
                problems.add(id + " " + seqNr + " twice or out of order in a run, after " + last);
            }
            inThisRun.put(id, seqNr);
            long before = processed.getOrDefault(id, 0L);
            if (seqNr > before + 1) {
                problems.add(id + " " + seqNr + " after " + before);
            } else if (seqNr <= before) {
                repeats++;
                if (delivery.row().timestampMicros() < resumedAt) {
                    problems.add(id + " " + seqNr + " repeated from outside the window");
                }
            }
            processed.merge(id, seqNr, Math::max);
            offset = new Offset(delivery.row().timestampMicros(), id, seqNr);
            if (isKilled && seqNr < delivery.row().endSeqNr() && random.nextInt(100) == 0) {
                killed = true; // inside a commit
                return;
            }
        }
    }

    /** Entities whose last events were not delivered. */
    List<String> undelivered() {
        List<String> undelivered = new ArrayList<>();
        index.logs().forEach((id, log) -> {
            long end = log.get(log.size() - 1).row().endSeqNr();
            if (processed.getOrDefault(id, 0L) < end) {
                undelivered.add(id + " ends at " + end + ", delivered to " + processed.getOrDefault(id, 0L));
            }
        });
        return undelivered;
    }
}
