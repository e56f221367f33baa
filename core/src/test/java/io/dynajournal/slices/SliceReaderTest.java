package io.dynajournal.slices;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.model.SliceRange;
import io.dynajournal.store.SlicePartition;
import io.dynajournal.store.SliceRow;
import io.dynajournal.store.SliceRows.RowPage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Thousands of random schedules against the reader. {@code -Dquery.seed=} runs another set of them; a failure tells its
 * seed.
 */
final class SliceReaderTest {

    private static final long FIRST_SEED = Long.getLong("query.seed", 1);
    private static final int SCHEDULES = Integer.getInteger("query.schedules", 1_500);
    private static final long SECOND = 1_000_000;
    private static final long START = 1_700_000_000L * SECOND;

    private static final Pace PACE = new Pace(Duration.ofSeconds(1), Duration.ofSeconds(2));
    private static final ReaderSettings SETTINGS =
            new ReaderSettings(Duration.ofSeconds(12), Duration.ofSeconds(5), 7, 10, 3, PACE);

    /** Together below the window: lag, twice the skew, and the time of a request. */
    private static final SimulatedIndex.Weather FAIR = new SimulatedIndex.Weather(4 * SECOND, SECOND, 2 * SECOND, 0, 0);

    private record Outcome(long seed, SimulatedQuery query, List<String> problems) {}

    private static Outcome run(
            long seed, SimulatedIndex.Weather weather, ReaderSettings settings, boolean answersTable) {
        return run(seed, weather, settings, answersTable, true);
    }

    private static Outcome run(
            long seed, SimulatedIndex.Weather weather, ReaderSettings settings, boolean answersTable, boolean told) {
        Random random = new Random(seed);
        SimulatedIndex index = new SimulatedIndex(random, weather, 2 + random.nextInt(40), 80, 2, START, told);
        SimulatedQuery query = new SimulatedQuery(index, settings, random, weather, answersTable, true);
        long now = START;
        for (int restarts = random.nextInt(4); restarts > 0; restarts--) {
            now = query.run(now, now + random.nextLong(index.end() - START) / 2);
        }
        long end = Math.max(now, index.end()) + 150 * SECOND + weather.lateLag();
        while (now < end) {
            now = query.run(now, end);
        }
        return new Outcome(seed, query, new ArrayList<>(query.problems));
    }

    @Test
    void everyEventOnceAndInOrder() {
        long repeats = 0;
        long missed = 0;
        for (long seed = FIRST_SEED; seed < FIRST_SEED + SCHEDULES; seed++) {
            Outcome outcome = run(seed, FAIR, SETTINGS, true);
            outcome.problems().addAll(outcome.query().behind());
            assertThat(outcome.problems()).as("seed %d", seed).isEmpty();
            repeats += outcome.query().repeats;
            missed += outcome.query().missed;
        }
        System.out.printf(
                "%d schedules from seed %d: %d events repeated after restarts, %d rows shown before their predecessor%n",
                SCHEDULES, FIRST_SEED, repeats, missed);
        assertThat(missed).as("schedules in which something was missed").isGreaterThan(SCHEDULES / 10);
    }

    /** As on tables of 2.x: gaps are found by number, and of an id that is met for the first time in the table. */
    @Test
    void everyEventOnceAndInOrderIfRowsDoNotTellOfTheirPredecessor() {
        long missed = 0;
        for (long seed = FIRST_SEED; seed < FIRST_SEED + SCHEDULES / 3; seed++) {
            Outcome outcome = run(seed, FAIR, SETTINGS, true, false);
            outcome.problems().addAll(outcome.query().behind());
            // By as much as its writers' clocks went back, what is repeated may be older.
            outcome.problems().removeIf(problem -> problem.endsWith("repeated from outside the window"));
            assertThat(outcome.problems()).as("seed %d", seed).isEmpty();
            missed += outcome.query().missed;
        }
        assertThat(missed).isGreaterThan(SCHEDULES / 3);
        assertThat(IntStream.range(0, 60)
                        .mapToObj(seed -> run(seed, FAIR, SETTINGS, false, false))
                        .filter(outcome -> !outcome.problems().isEmpty()
                                || !outcome.query().behind().isEmpty()))
                .as("caught if the table is not looked at")
                .isNotEmpty();
    }

    /** Some layouts let the numbers of an id begin anew. */
    @Test
    void numbersThatBeginAnewAreDelivered() {
        SlicePartition partition = new SlicePartition("p", "cart", SliceRange.ALL);
        SliceReader reader = new SliceReader(SETTINGS, SliceRange.ALL, Start.BEGINNING, true, row -> true);
        reader.add(List.of(partition));
        long again = START + 100 * SECOND;
        List<SliceRow> rows = List.of(
                single(1, START),
                single(2, START + SECOND),
                single(3, START + 2 * SECOND),
                single(1, again),
                single(2, again + 1));

        Ask.OfIndex ask = (Ask.OfIndex) reader.asks(again + SECOND).get(0);
        reader.answered(ask, new RowPage(rows, null), again + SECOND);
        List<Long> delivered = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            reader.take(10).forEach(delivery -> delivered.add(delivery.fromSeqNr()));
            reader.asks(again + SECOND).forEach(missed -> {
                if (missed instanceof Ask.OfTable table) {
                    reader.answered(table, List.of());
                }
            });
        }
        assertThat(delivered).containsExactly(1L, 2L, 3L, 1L, 2L);
    }

    /** The clock of the next writer may be behind, so the time of the offset does not tell what came after it. */
    @Test
    void whatIsBehindAnOffsetIsFoundByNumber() {
        Start start = Start.behind(START, Map.of("cart|1", 5L), SETTINGS);
        SliceReader reader = new SliceReader(SETTINGS, SliceRange.ALL, start, true, row -> true);
        reader.add(List.of(new SlicePartition("p", "cart", SliceRange.ALL)));
        long now = START + 3 * SECOND;
        Ask.OfIndex ask = (Ask.OfIndex) reader.asks(now).get(0);
        reader.answered(ask, new RowPage(List.of(single(7, START + SECOND)), null), now);
        assertThat(reader.take(10)).isEmpty();

        Ask.OfTable missed = (Ask.OfTable) reader.asks(now).get(0);
        assertThat(missed).isEqualTo(new Ask.OfTable("cart|1", 5, 7, 0, missed.limit()));
        reader.answered(missed, List.of(single(6, START - SECOND)));
        assertThat(reader.take(10)).extracting(Delivery::fromSeqNr).containsExactly(6L, 7L);
    }

    private static SliceRow single(long seqNr, long ts) {
        return new SliceRow(
                "cart|1", seqNr, seqNr, ts, seqNr == 1 ? 0 : SliceRow.UNKNOWN, Set.of(), new SliceRow.Content() {});
    }

    /** An event that shows later than the window is delivered before the next of its entity, never after it. */
    @Test
    void whatShowsTooLateComesWithItsSuccessor() {
        SimulatedIndex.Weather foul = new SimulatedIndex.Weather(4 * SECOND, SECOND, 2 * SECOND, 0.1, 100 * SECOND);
        ReaderSettings remembers = new ReaderSettings(SETTINGS.window(), SETTINGS.slack(), 7, 1_000, 3, PACE);
        for (long seed = FIRST_SEED; seed < FIRST_SEED + SCHEDULES / 3; seed++) {
            Random random = new Random(seed);
            SimulatedIndex index = new SimulatedIndex(random, foul, 2 + random.nextInt(20), 80, 2, START);
            SimulatedQuery query = new SimulatedQuery(index, remembers, random, foul, true, false);
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
    void aReaderWithoutTheTrailingWindowIsCaught() {
        ReaderSettings none = new ReaderSettings(Duration.ofNanos(1_000), SETTINGS.slack(), 7, 10, 3, SETTINGS.pace());
        assertThat(caught(none, true)).isGreaterThan(0);
    }

    private static int caught(ReaderSettings settings, boolean answersTable) {
        int caught = 0;
        for (long seed = FIRST_SEED; seed < FIRST_SEED + 60; seed++) {
            Outcome outcome = run(seed, FAIR, settings, answersTable);
            caught += outcome.problems().isEmpty() && outcome.query().behind().isEmpty() ? 0 : 1;
        }
        return caught;
    }

    @Test
    void memoryIsBoundedByTheWindow() {
        Random random = new Random(7);
        SimulatedIndex index = new SimulatedIndex(random, FAIR, 2_000, 4_000, 2, START);
        SimulatedQuery query = new SimulatedQuery(index, SETTINGS, random, FAIR, true, true);
        long now = START;
        while (now < index.end() + 150 * SECOND) {
            now = query.run(now, index.end() + 150 * SECOND);
        }
        assertThat(query.problems).isEmpty();
        assertThat(query.behind()).isEmpty();
        assertThat(index.logs().size()).isGreaterThan(1_000);
        assertThat(query.mostKnown).isLessThan(150);
    }
}
