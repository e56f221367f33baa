package io.dynajournal.internal.layout.commits;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.internal.dynamo.Item;
import io.dynajournal.internal.dynamo.ItemPage;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

final class ReadAheadTest {

    private static final int FULL = 20;

    /** The segments that were requested, as "from-to". */
    private final List<String> requests = new ArrayList<>();

    private ReadAhead request(ReadAhead ahead, long to, int maxInFlight) {
        return request(ahead, to, to, maxInFlight);
    }

    private ReadAhead request(ReadAhead ahead, long to, long wanted, int maxInFlight) {
        requests.clear();
        return ahead.request(to, wanted, maxInFlight, this::page);
    }

    private CompletableFuture<ItemPage> page(long from, long to) {
        requests.add(from + "-" + to);
        return new CompletableFuture<>();
    }

    /** Single events of this size; a next page follows or not. */
    private static ItemPage page(long from, long to, int bytes, boolean hasNext) {
        List<Item> items = LongStream.rangeClosed(from, to)
                .mapToObj(number ->
                        Item.create().text("pid", "p").number("seq", number).bytes("ev", new byte[bytes]))
                .toList();
        return new ItemPage(
                items,
                hasNext ? Item.create().text("pid", "p").number("seq", to).attributes() : null);
    }

    private static ReadAhead afterTwenty() {
        return ReadAhead.after(page(1, FULL, 50_000, true), Long.MAX_VALUE, 4_000);
    }

    @Test
    void withoutANextPageNothingIsAhead() {
        assertThat(ReadAhead.after(page(1, FULL, 1, false), Long.MAX_VALUE, 4_000)
                        .isEmpty())
                .isTrue();
    }

    @Test
    void aLogOfUnknownLengthIsRequestedPageByPage() {
        ReadAhead ahead = request(afterTwenty(), Long.MAX_VALUE, 3);
        assertThat(requests).containsExactly("21-" + Long.MAX_VALUE);
        request(ahead.afterFirst(page(21, 40, 50_000, true)), Long.MAX_VALUE, 3);
        assertThat(requests).containsExactly("41-" + Long.MAX_VALUE);
    }

    @Test
    void aLogOfKnownLengthIsRequestedInSegmentsOfAQuarterOfAPage() {
        ReadAhead ahead = request(afterTwenty().withKnownSeqNr(1_000), 1_000, 3);
        assertThat(requests).containsExactly("21-25", "26-30", "31-35");
        ahead = request(ahead.afterFirst(page(21, 25, 50_000, false)), 1_000, 3);
        assertThat(requests).containsExactly("36-40");
        request(ahead.afterFirst(page(26, 30, 50_000, false)), 1_000, 3);
        assertThat(requests).containsExactly("41-45");
    }

    @Test
    void theSecondPageCanBeRequestedAlone() {
        ReadAhead ahead = afterTwenty().withKnownSeqNr(1_000).requestOne(this::page);
        assertThat(requests).containsExactly("21-25");
        assertThat(ahead.inFlight()).isEqualTo(1);
        request(ahead, 1_000, 1);
        assertThat(requests).isEmpty();
        request(ahead, 1_000, 3);
        assertThat(requests).containsExactly("26-30", "31-35");
    }

    @Test
    void theSecondPageMayBeTheLast() {
        ReadAhead ahead = afterTwenty().withKnownSeqNr(25).requestOne(this::page);
        assertThat(requests).containsExactly("21-" + Long.MAX_VALUE);
        assertThat(ahead.afterFirst(page(21, 25, 50_000, false)).isEmpty()).isTrue();
    }

    @Test
    void whatIsLeftIsDividedEvenly() {
        request(afterTwenty().withKnownSeqNr(32), 32, 3);
        assertThat(requests).containsExactly("21-24", "25-28", "29-32");
    }

    @Test
    void aSegmentLongerThanAPageIsCompletedFirst() {
        ReadAhead ahead = request(afterTwenty().withKnownSeqNr(1_000), 1_000, 3);
        ahead = request(ahead.afterFirst(page(21, 23, 350_000, true)), 1_000, 3);
        // Three fill a page now, so a quarter is one.
        assertThat(requests).containsExactly("24-24");
        request(ahead.afterFirst(page(24, 24, 350_000, false)), 1_000, 3);
        assertThat(requests).containsExactly("25-25");
    }

    @Test
    void segmentsGrowWhereEventsAreSmall() {
        ReadAhead ahead = request(afterTwenty().withKnownSeqNr(1_000_000), 1_000_000, 1);
        ahead = request(ahead.afterFirst(page(21, 40, 50_000, true)), 1_000_000, 2);
        assertThat(requests).containsExactly("41-45", "46-50");
        request(ahead.afterFirst(page(41, 45, 10, false)), 1_000_000, 2);
        // A quarter of eight times five: growth is limited, or it would be tens of thousands.
        assertThat(requests).containsExactly("51-60");
    }

    @Test
    void anEmptyPageMakesSegmentsGrowToo() {
        ReadAhead ahead = request(afterTwenty().withKnownSeqNr(1_000_000), 1_000_000, 2);
        request(ahead.afterFirst(new ItemPage(List.of(), null)), 1_000_000, 2);
        assertThat(requests).containsExactly("31-70");
    }

    @Test
    void nothingIsRequestedThatIsNotWanted() {
        ReadAhead ahead = request(afterTwenty().withKnownSeqNr(1_000), 1_000, 25, 3);
        assertThat(requests).containsExactly("21-25");
        // Some of these events were rejected, so more sequence numbers are wanted than it seemed.
        request(ahead.afterFirst(page(21, 25, 50_000, false)), 1_000, 29, 3);
        assertThat(requests).containsExactly("26-30");
    }

    @Test
    void nothingIsRequestedAfterTheRange() {
        ReadAhead ahead = request(afterTwenty().withKnownSeqNr(1_000), 22, 3);
        assertThat(requests).containsExactly("21-22");
        assertThat(ahead.afterFirst(page(21, 22, 1, false)).isEmpty()).isTrue();
    }

    @Test
    void aFirstPageWithALimitShowsHowManyCommitsFillAPage() {
        request(
                ReadAhead.after(page(1, 10, 25_000, true), Long.MAX_VALUE, 4_000)
                        .withKnownSeqNr(1_000),
                1_000,
                2);
        assertThat(requests).containsExactly("11-20", "21-30");
        request(ReadAhead.after(page(1, 10, 100, true), Long.MAX_VALUE, 40).withKnownSeqNr(1_000), 1_000, 2);
        assertThat(requests).as("of 40 items at most").containsExactly("11-20", "21-30");
    }
}
