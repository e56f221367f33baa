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

    private static final int FULL = 10;

    /** What was asked for, as "from-to". */
    private final List<String> requests = new ArrayList<>();

    private Ahead asked(Ahead ahead, long to, int atOnce) {
        return asked(ahead, to, to, atOnce);
    }

    private Ahead asked(Ahead ahead, long to, long wanted, int atOnce) {
        requests.clear();
        return ahead.asked(to, wanted, atOnce, (from, end) -> {
            requests.add(from + "-" + end);
            return new CompletableFuture<>();
        });
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

    private static Ahead behindTen() {
        return Ahead.behind(page(1, FULL, 100_000, true), Long.MAX_VALUE);
    }

    @Test
    void withoutANextPageNothingIsAhead() {
        assertThat(Ahead.behind(page(1, FULL, 1, false), Long.MAX_VALUE).isEmpty())
                .isTrue();
    }

    @Test
    void nobodyKnowsWhereTheLogEndsSoOnePageIsAskedForAtATime() {
        Ahead ahead = asked(behindTen(), Long.MAX_VALUE, 3);
        assertThat(requests).containsExactly("11-" + Long.MAX_VALUE);
        asked(ahead.behindFirst(page(11, 20, 100_000, true)), Long.MAX_VALUE, 3);
        assertThat(requests).containsExactly("21-" + Long.MAX_VALUE);
    }

    @Test
    void aKnownLogIsAskedForInStretchesOfAPage() {
        // A page had ten; nine are asked for, because others may be larger.
        Ahead ahead = asked(behindTen().known(1_000), 1_000, 3);
        assertThat(requests).containsExactly("11-19", "20-28", "29-37");
        ahead = asked(ahead.behindFirst(page(11, 19, 100_000, false)), 1_000, 3);
        assertThat(requests).containsExactly("38-46");
        asked(ahead.behindFirst(page(20, 28, 100_000, false)), 1_000, 3);
        assertThat(requests).containsExactly("47-55");
    }

    @Test
    void whatIsLeftIsDividedEvenly() {
        asked(behindTen().known(30), 30, 3);
        assertThat(requests).containsExactly("11-17", "18-24", "25-30");
    }

    @Test
    void aStretchLongerThanAPageIsFinishedFirst() {
        Ahead ahead = asked(behindTen().known(1_000), 1_000, 3);
        ahead = asked(ahead.behindFirst(page(11, 14, 250_000, true)), 1_000, 3);
        // Four fill a page by now, so three are asked for.
        assertThat(requests).containsExactly("15-17");
        asked(ahead.behindFirst(page(15, 17, 250_000, false)), 1_000, 3);
        assertThat(requests).containsExactly("18-19");
    }

    @Test
    void stretchesGrowWhereEventsAreSmall() {
        Ahead ahead = asked(behindTen().known(1_000_000), 1_000_000, 1);
        ahead = asked(ahead.behindFirst(page(11, 20, 100_000, true)), 1_000_000, 2);
        assertThat(requests).containsExactly("21-29", "30-38");
        asked(ahead.behindFirst(page(21, 29, 10, false)), 1_000_000, 2);
        // Eight times nine, with caution; not the ten thousands that nine small ones may stand for.
        assertThat(requests).containsExactly("39-106");
    }

    @Test
    void anEmptyPageMakesThemGrowToo() {
        Ahead ahead = asked(behindTen().known(1_000_000), 1_000_000, 2);
        asked(ahead.behindFirst(new ItemPage(List.of(), null)), 1_000_000, 2);
        assertThat(requests).containsExactly("29-104");
    }

    @Test
    void nothingIsAskedForThatIsNotWanted() {
        Ahead ahead = asked(behindTen().known(1_000), 1_000, 15, 3);
        assertThat(requests).containsExactly("11-19");
        // Some of these numbers were rejected, so more are wanted than seemed to be.
        asked(ahead.behindFirst(page(11, 19, 100_000, false)), 1_000, 19, 3);
        assertThat(requests).containsExactly("20-28");
    }

    @Test
    void theRangeEndsItAll() {
        Ahead ahead = asked(behindTen().known(1_000), 12, 3);
        assertThat(requests).containsExactly("11-12");
        assertThat(ahead.behindFirst(page(11, 12, 1, false)).isEmpty()).isTrue();
    }
}
