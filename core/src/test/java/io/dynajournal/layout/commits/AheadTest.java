package io.dynajournal.layout.commits;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.dynamo.Item;
import io.dynajournal.dynamo.ItemPage;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

final class AheadTest {

    private static final int FULL = 20;

    /** What was asked for, as "from-to". */
    private final List<String> requests = new ArrayList<>();

    private Ahead asked(Ahead ahead, long to, int atOnce) {
        return asked(ahead, to, to, atOnce);
    }

    private Ahead asked(Ahead ahead, long to, long wanted, int atOnce) {
        requests.clear();
        return ahead.asked(to, wanted, atOnce, this::request);
    }

    private CompletableFuture<ItemPage> request(long from, long to) {
        requests.add(from + "-" + to);
        return new CompletableFuture<>();
    }

    /** Single events of so many bytes; the log goes on behind the last one or not. */
    private static ItemPage page(long from, long to, int bytes, boolean goesOn) {
        List<Item> items = LongStream.rangeClosed(from, to)
                .mapToObj(number ->
                        Item.create().text("pid", "p").number("seq", number).bytes("ev", new byte[bytes]))
                .toList();
        return new ItemPage(
                items, goesOn ? Item.create().text("pid", "p").number("seq", to).attributes() : null);
    }

    private static Ahead behindTwenty() {
        return Ahead.behind(page(1, FULL, 50_000, true), Long.MAX_VALUE, 4_000);
    }

    @Test
    void withoutANextPageNothingIsAhead() {
        assertThat(Ahead.behind(page(1, FULL, 1, false), Long.MAX_VALUE, 4_000).isEmpty())
                .isTrue();
    }

    @Test
    void nobodyKnowsWhereTheLogEndsSoOnePageIsAskedForAtATime() {
        Ahead ahead = asked(behindTwenty(), Long.MAX_VALUE, 3);
        assertThat(requests).containsExactly("21-" + Long.MAX_VALUE);
        asked(ahead.behindFirst(page(21, 40, 50_000, true)), Long.MAX_VALUE, 3);
        assertThat(requests).containsExactly("41-" + Long.MAX_VALUE);
    }

    @Test
    void aKnownLogIsAskedForInStretchesOfAQuarterOfAPage() {
        Ahead ahead = asked(behindTwenty().known(1_000), 1_000, 3);
        assertThat(requests).containsExactly("21-25", "26-30", "31-35");
        ahead = asked(ahead.behindFirst(page(21, 25, 50_000, false)), 1_000, 3);
        assertThat(requests).containsExactly("36-40");
        asked(ahead.behindFirst(page(26, 30, 50_000, false)), 1_000, 3);
        assertThat(requests).containsExactly("41-45");
    }

    @Test
    void oneMoreThanTheFirstPageIsAskedForByItself() {
        Ahead ahead = behindTwenty().known(1_000).oneMore(this::request);
        assertThat(requests).containsExactly("21-25");
        assertThat(ahead.onTheWay()).isEqualTo(1);
        asked(ahead, 1_000, 1);
        assertThat(requests).isEmpty();
        asked(ahead, 1_000, 3);
        assertThat(requests).containsExactly("26-30", "31-35");
    }

    @Test
    void theOneMoreMayBeTheLast() {
        Ahead ahead = behindTwenty().known(25).oneMore(this::request);
        assertThat(requests).containsExactly("21-" + Long.MAX_VALUE);
        assertThat(ahead.behindFirst(page(21, 25, 50_000, false)).isEmpty()).isTrue();
    }

    @Test
    void whatIsLeftIsDividedEvenly() {
        asked(behindTwenty().known(32), 32, 3);
        assertThat(requests).containsExactly("21-24", "25-28", "29-32");
    }

    @Test
    void aStretchLongerThanAPageIsFinishedFirst() {
        Ahead ahead = asked(behindTwenty().known(1_000), 1_000, 3);
        ahead = asked(ahead.behindFirst(page(21, 23, 350_000, true)), 1_000, 3);
        // Three fill a page by now, so one is asked for.
        assertThat(requests).containsExactly("24-24");
        asked(ahead.behindFirst(page(24, 24, 350_000, false)), 1_000, 3);
        assertThat(requests).containsExactly("25-25");
    }

    @Test
    void stretchesGrowWhereEventsAreSmall() {
        Ahead ahead = asked(behindTwenty().known(1_000_000), 1_000_000, 1);
        ahead = asked(ahead.behindFirst(page(21, 40, 50_000, true)), 1_000_000, 2);
        assertThat(requests).containsExactly("41-45", "46-50");
        asked(ahead.behindFirst(page(41, 45, 10, false)), 1_000_000, 2);
        // A quarter of eight times five; not the ten thousands that five small ones may stand for.
        assertThat(requests).containsExactly("51-60");
    }

    @Test
    void anEmptyPageMakesThemGrowToo() {
        Ahead ahead = asked(behindTwenty().known(1_000_000), 1_000_000, 2);
        asked(ahead.behindFirst(new ItemPage(List.of(), null)), 1_000_000, 2);
        assertThat(requests).containsExactly("31-70");
    }

    @Test
    void nothingIsAskedForThatIsNotWanted() {
        Ahead ahead = asked(behindTwenty().known(1_000), 1_000, 25, 3);
        assertThat(requests).containsExactly("21-25");
        // Some of these numbers were rejected, so more are wanted than seemed to be.
        asked(ahead.behindFirst(page(21, 25, 50_000, false)), 1_000, 29, 3);
        assertThat(requests).containsExactly("26-30");
    }

    @Test
    void theRangeEndsItAll() {
        Ahead ahead = asked(behindTwenty().known(1_000), 22, 3);
        assertThat(requests).containsExactly("21-22");
        assertThat(ahead.behindFirst(page(21, 22, 1, false)).isEmpty()).isTrue();
    }

    @Test
    void aFirstPageThatWasCutShortTellsHowManyFillOne() {
        asked(Ahead.behind(page(1, 10, 25_000, true), Long.MAX_VALUE, 4_000).known(1_000), 1_000, 2);
        assertThat(requests).containsExactly("11-20", "21-30");
        asked(Ahead.behind(page(1, 10, 100, true), Long.MAX_VALUE, 40).known(1_000), 1_000, 2);
        assertThat(requests).as("of 40 items at most").containsExactly("11-20", "21-30");
    }
}
