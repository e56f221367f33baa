package io.dynajournal.internal.slices;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.internal.model.SliceRange;
import io.dynajournal.internal.slices.ReadRequest.IndexRead;
import io.dynajournal.internal.slices.ReadRequest.MissedCommitsRead;
import io.dynajournal.internal.store.SlicePartition;
import io.dynajournal.internal.store.SliceRow;
import io.dynajournal.internal.store.SliceRows.RowPage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Thousands of random schedules against the reader. {@code -Dquery.seed=} runs another set of them; a failure names its
 * seed.
 */
final class SliceReaderTest {

    private static final long FIRST_SEED = Long.getLong("query.seed", 1);
    private static final int SCHEDULES = Integer.getInteger("query.schedules", 1_500);
    private static final long SECOND = 1_000_000;
    private static final long START = 1_700_000_000L * SECOND;

    private static final PollSchedule SCHEDULE = new PollSchedule(Duration.ofSeconds(1), Duration.ofSeconds(2));
    private static final ReaderSettings SETTINGS =
            new ReaderSettings(Duration.ofSeconds(12), Duration.ofSeconds(5), 7, 10, 3, SCHEDULE);

    /** Together below the window: lag, twice the skew, and the time of a request. */
    private static final SimulatedIndex.Conditions WITHIN_WINDOW =
            new SimulatedIndex.Conditions(4 * SECOND, SECOND, 2 * SECOND, 0, 0);

    private record Outcome(long seed, SimulatedQuery query, List<String> problems) {}

    private static Outcome run(
            long seed, SimulatedIndex.Conditions conditions, ReaderSettings settings, boolean findsMissed) {
        return run(seed, conditions, settings, findsMissed, true);
    }

    private static Outcome run(
            long seed,
            SimulatedIndex.Conditions conditions,
            ReaderSettings settings,
            boolean findsMissed,
            boolean hasPrevious) {
        Random random = new Random(seed);
        SimulatedIndex index =
                new SimulatedIndex(random, conditions, 2 + random.nextInt(40), 80, 2, START, hasPrevious);
        SimulatedQuery query = new SimulatedQuery(index, settings, random, conditions, findsMissed, true);
        long now = START;
        for (int restarts = random.nextInt(4); restarts > 0; restarts--) {
            now = query.run(now, now + random.nextLong(index.end() - START) / 2);
        }
        long end = Math.max(now, index.end()) + 150 * SECOND + conditions.lateLag();
        while (now < end) {
            now = query.run(now, end);
        }
        return new Outcome(seed, query, new ArrayList<>(query.problems));
    }

    @Test
    void everyEventOnceAndInOrder() {
        long repeats = 0;
        long gaps = 0;
        for (long seed = FIRST_SEED; seed < FIRST_SEED + SCHEDULES; seed++) {
            Outcome outcome = run(seed, WITHIN_WINDOW, SETTINGS, true);
            outcome.problems().addAll(outcome.query().undelivered());
            assertThat(outcome.problems()).as("seed %d", seed).isEmpty();
            repeats += outcome.query().repeats;
            gaps += outcome.query().gaps;
        }
        System.out.printf(
                "%d schedules from seed %d: %d events repeated after restarts, %d rows shown before their predecessor%n",
                SCHEDULES, FIRST_SEED, repeats, gaps);
        assertThat(gaps).as("gaps found").isGreaterThan(SCHEDULES / 10);
    }

    /** As with akka-persistence-dynamodb 2.x: gaps are found by sequence number, and for a new entity in the table. */
    @Test
    void everyEventOnceAndInOrderWithoutTheTimeOfThePreviousCommit() {
        long gaps = 0;
        for (long seed = FIRST_SEED; seed < FIRST_SEED + SCHEDULES / 3; seed++) {
            Outcome outcome = run(seed, WITHIN_WINDOW, SETTINGS, true, false);
            outcome.problems().addAll(outcome.query().undelivered());
            // Repeated events may be older by as much as the writers' clocks went back.
            outcome.problems().removeIf(problem -> problem.endsWith("repeated from outside the window"));
            assertThat(outcome.problems()).as("seed %d", seed).isEmpty();
            gaps += outcome.query().gaps;
        }
        assertThat(gaps).isGreaterThan(SCHEDULES / 3);
        assertThat(IntStream.range(0, 60)
                        .mapToObj(seed -> run(seed, WITHIN_WINDOW, SETTINGS, false, false))
                        .filter(outcome -> !outcome.problems().isEmpty()
                                || !outcome.query().undelivered().isEmpty()))
                .as("caught if missed commits are not read")
                .isNotEmpty();
    }

    /** Some layouts let the sequence numbers of an id begin anew. */
    @Test
    void sequenceNumbersThatBeginAnewAreDelivered() {
        SlicePartition partition = new SlicePartition("p", "cart", SliceRange.ALL);
        SliceReader reader = new SliceReader(SETTINGS, SliceRange.ALL, ResumePoint.BEGINNING, true, row -> true);
        reader.partitionsFound(List.of(partition), START);
        long again = START + 100 * SECOND;
        List<SliceRow> rows = List.of(
                single(1, START),
                single(2, START + SECOND),
                single(3, START + 2 * SECOND),
                single(1, again),
                single(2, again + 1));

        reader.partitionsFound(List.of(), again);
        IndexRead read = (IndexRead) reader.reads(again + SECOND).get(0);
        reader.received(read, new RowPage(rows, null), again + SECOND);
        List<Long> delivered = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            reader.take(10).forEach(delivery -> delivered.add(delivery.fromSeqNr()));
            reader.reads(again + SECOND).forEach(further -> {
                if (further instanceof MissedCommitsRead missed) {
                    reader.received(missed, List.of());
                }
            });
        }
        assertThat(delivered).containsExactly(1L, 2L, 3L, 1L, 2L);
    }

    /** The next writer's clock may be behind, so an event after the offset may have an earlier time. */
    @Test
    void eventsAfterAnOffsetAreFoundBySequenceNumber() {
        ResumePoint start = ResumePoint.after(START, Map.of("cart|1", 5L), SETTINGS);
        SliceReader reader = new SliceReader(SETTINGS, SliceRange.ALL, start, true, row -> true);
        reader.partitionsFound(List.of(new SlicePartition("p", "cart", SliceRange.ALL)), START);
        long now = START + 3 * SECOND;
        IndexRead read = (IndexRead) reader.reads(now).get(0);
        reader.received(read, new RowPage(List.of(single(7, START + SECOND)), null), now);
        assertThat(reader.take(10)).isEmpty();

        MissedCommitsRead missed = (MissedCommitsRead) reader.reads(now).get(0);
        assertThat(missed).isEqualTo(new MissedCommitsRead("cart|1", 5, 7, 0, missed.limit()));
        reader.received(missed, List.of(single(6, START - SECOND)));
        assertThat(reader.take(10)).extracting(Delivery::fromSeqNr).containsExactly(6L, 7L);
    }

    /** A commit of a partition that no lookup has shown yet may be older, and its consumer may restart from this offset. */
    @Test
    void commitsLongAfterTheLastPartitionLookupWaitForTheNext() {
        SliceReader reader = new SliceReader(SETTINGS, SliceRange.ALL, ResumePoint.BEGINNING, true, row -> true);
        reader.partitionsFound(List.of(new SlicePartition("p", "cart", SliceRange.ALL)), START);
        long early = START + 10 * SECOND;
        long late = START + 12 * SECOND;
        IndexRead read = (IndexRead) reader.reads(late + SECOND).get(0);
        reader.received(read, new RowPage(List.of(single(1, early), single(2, late)), null), late + SECOND);

        // Half the window and the slack are 11 seconds.
        assertThat(reader.take(10)).extracting(Delivery::fromSeqNr).containsExactly(1L);
        reader.partitionsFound(List.of(), START + 2 * SECOND);
        assertThat(reader.take(10)).extracting(Delivery::fromSeqNr).containsExactly(2L);
    }

    /** A query of current events has no later lookup to wait for, and backtracks only if it tracks too many entities. */
    @Test
    void currentEventsOfMoreEntitiesThanAreTrackedAreAllDelivered() {
        SliceReader reader = new SliceReader(SETTINGS, SliceRange.ALL, ResumePoint.BEGINNING, false, row -> true);
        reader.partitionsFound(List.of(new SlicePartition("p", "cart", SliceRange.ALL)), START);
        List<SliceRow> rows = IntStream.range(0, 25)
                .mapToObj(i -> new SliceRow(
                        "cart|" + i, 1, 1, START + i * SECOND / 10, 0, Set.of(), new SliceRow.Content() {}))
                .toList();
        long now = START + 3 * SECOND;
        int delivered = 0;
        int mostTracked = 0;
        while (!reader.isDone() && now < START + 100 * SECOND) {
            for (ReadRequest each : reader.reads(now)) {
                IndexRead read = (IndexRead) each;
                List<SliceRow> page = rows.stream()
                        .filter(row ->
                                row.timestampMicros() >= read.fromMicros() && row.timestampMicros() <= read.toMicros())
                        .toList();
                reader.received(read, new RowPage(page, null), now);
            }
            delivered += reader.take(100).size();
            mostTracked = Math.max(mostTracked, reader.trackedEntities());
            now = Math.max(now + 1, Math.min(reader.nextReadAt(), now + SECOND));
        }
        assertThat(reader.isDone()).isTrue();
        assertThat(delivered).isEqualTo(25);
        assertThat(mostTracked).isEqualTo(SETTINGS.trackedEntities());
    }

    private static SliceRow single(long seqNr, long ts) {
        return new SliceRow(
                "cart|1", seqNr, seqNr, ts, seqNr == 1 ? 0 : SliceRow.UNKNOWN, Set.of(), new SliceRow.Content() {});
    }

    /** An event that becomes visible after the window is delivered before the next event of its entity. */
    @Test
    void anEventVisibleAfterTheWindowIsDeliveredBeforeItsSuccessor() {
        SimulatedIndex.Conditions beyondWindow =
                new SimulatedIndex.Conditions(4 * SECOND, SECOND, 2 * SECOND, 0.1, 100 * SECOND);
        ReaderSettings tracksAll =
                new ReaderSettings(SETTINGS.backtrackingWindow(), SETTINGS.slack(), 7, 1_000, 3, SCHEDULE);
        for (long seed = FIRST_SEED; seed < FIRST_SEED + SCHEDULES / 3; seed++) {
            Random random = new Random(seed);
            SimulatedIndex index = new SimulatedIndex(random, beyondWindow, 2 + random.nextInt(20), 80, 2, START);
            SimulatedQuery query = new SimulatedQuery(index, tracksAll, random, beyondWindow, true, false);
            long now = START;
            long end = index.end() + 150 * SECOND;
            while (now < end) {
                now = query.run(now, end);
            }
            assertThat(query.problems).as("seed %d", seed).isEmpty();
        }
    }

    @Test
    void aReaderWithoutThePredecessorCheckIsCaught() {
        assertThat(caught(SETTINGS, false)).isGreaterThan(0);
    }

    @Test
    void aReaderWithoutBacktrackingIsCaught() {
        ReaderSettings none =
                new ReaderSettings(Duration.ofNanos(1_000), SETTINGS.slack(), 7, 10, 3, SETTINGS.schedule());
        assertThat(caught(none, true)).isGreaterThan(0);
    }

    private static int caught(ReaderSettings settings, boolean findsMissed) {
        int caught = 0;
        for (long seed = FIRST_SEED; seed < FIRST_SEED + 60; seed++) {
            Outcome outcome = run(seed, WITHIN_WINDOW, settings, findsMissed);
            caught += outcome.problems().isEmpty()
                            && outcome.query().undelivered().isEmpty()
                    ? 0
                    : 1;
        }
        return caught;
    }

    @Test
    void noMoreEntitiesAreTrackedThanTheSettingsAllow() {
        Random random = new Random(7);
        SimulatedIndex index = new SimulatedIndex(random, WITHIN_WINDOW, 2_000, 4_000, 2, START);
        SimulatedQuery query = new SimulatedQuery(index, SETTINGS, random, WITHIN_WINDOW, true, true);
        long now = START;
        while (now < index.end() + 150 * SECOND) {
            now = query.run(now, index.end() + 150 * SECOND);
        }
        assertThat(query.problems).isEmpty();
        assertThat(query.undelivered()).isEmpty();
        assertThat(index.logs().size()).isGreaterThan(1_000);
        // Entities of the same microsecond may exceed the limit.
        assertThat(query.mostTracked).isBetween(SETTINGS.trackedEntities(), SETTINGS.trackedEntities() + 3);
    }
}
