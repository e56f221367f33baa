package io.dynajournal.layout.commits;

import io.dynajournal.dynamo.Item;
import io.dynajournal.dynamo.ItemPage;
import io.dynajournal.dynamo.ItemSize;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * What of a log comes behind the page at hand: stretches of numbers, in order, some of them on their way. Where the log is
 * known to go on, several are asked for at once, each about a quarter as long as what fills a page.
 *
 * @param known the last number that is known to be there; 0 if nobody has looked
 * @param span how many numbers fill a page, by the last one
 * @param pageItems how many commits a page has at most
 */
record Ahead(List<Stretch> stretches, long known, long span, int pageItems) {

    /** Numbers that stand next to each other. The page is null until it is asked for. */
    record Stretch(long from, long to, @Nullable CompletionStage<ItemPage> page) {

        boolean isEmpty() {
            return from > to;
        }

        /** What is not asked for once this much is. There is no number behind the largest. */
        Stretch behind(long end) {
            return end == Long.MAX_VALUE ? new Stretch(end, 0, null) : new Stretch(end + 1, to, null);
        }
    }

    /** Asks for the first page of a stretch. */
    interface Query {
        CompletionStage<ItemPage> page(long from, long to);
    }

    /**
     * A stretch is a quarter of what fills a page. Short ones come back sooner and are decoded while the others are still being read;
     * and where later events are larger than earlier ones, few take a second request.
     */
    private static final int STRETCHES_OF_A_PAGE = 4;

    /** Stretches of a log that begins with large events shall not stay short; nor shall a few small ones mislead. */
    private static final long GROWTH = 8;

    /**
     * Behind the first page.
     *
     * @param to where the reading ends, whether the log reaches that or not
     */
    static Ahead behind(ItemPage page, long to, int pageItems) {
        return new Ahead(List.of(new Stretch(0, to, null)), 0, 1, pageItems).behindFirst(page);
    }

    Ahead known(long end) {
        return new Ahead(stretches, end, span, pageItems);
    }

    boolean isEmpty() {
        return stretches.isEmpty();
    }

    /** Has the next page on its way, and nothing else. */
    Ahead oneMore(Query query) {
        Stretch left = stretches.get(0);
        long end = endOfPiece(left);
        Stretch asked = new Stretch(left.from(), end, query.page(left.from(), end));
        Stretch behind = left.behind(end);
        return new Ahead(behind.isEmpty() ? List.of(asked) : List.of(asked, behind), known, span, pageItems);
    }

    /** How many pages have been asked for. */
    long onTheWay() {
        return stretches.stream().filter(stretch -> stretch.page() != null).count();
    }

    /**
     * Has the first stretch on its way, and up to {@code atOnce} of them as far as the log is known and wanted.
     *
     * @param to nothing behind that is read
     * @param wanted nothing behind that is asked for before its turn comes
     */
    Ahead asked(long to, long wanted, int atOnce, Query query) {
        long ahead = Math.min(known, wanted);
        long onTheWay = onTheWay();
        List<Stretch> asked = new ArrayList<>();
        for (Stretch stretch : stretches) {
            if (stretch.page() != null) {
                asked.add(stretch);
                continue;
            }
            Stretch left = new Stretch(stretch.from(), Math.min(stretch.to(), to), null);
            while (!left.isEmpty() && (asked.isEmpty() || (onTheWay < atOnce && left.from() <= ahead))) {
                long end = atOnce == 1 ? left.to() : endOfPiece(left);
                asked.add(new Stretch(left.from(), end, query.page(left.from(), end)));
                left = left.behind(end);
                onTheWay++;
            }
            if (!left.isEmpty()) {
                asked.add(left);
            }
        }
        return new Ahead(asked, known, span, pageItems);
    }

    /** What is known is divided evenly; the last piece goes on behind it. */
    private long endOfPiece(Stretch stretch) {
        long left = Math.min(known, stretch.to()) - stretch.from() + 1;
        long length = Math.max(1, span / STRETCHES_OF_A_PAGE);
        if (left <= length) {
            return stretch.to();
        }
        long pieces = (left - 1) / length + 1;
        return stretch.from() + (left - 1) / pieces;
    }

    CompletionStage<ItemPage> first() {
        CompletionStage<ItemPage> page = stretches.get(0).page();
        if (page == null) {
            throw new IllegalStateException("The first stretch was not asked for");
        }
        return page;
    }

    /** What is left once the first page has come, which may not be all of its stretch. */
    Ahead behindFirst(ItemPage page) {
        List<Stretch> left = new ArrayList<>(stretches.subList(1, stretches.size()));
        if (page.next() != null) {
            long last = Item.of(page.next()).number(CommitItems.SEQ);
            left.add(0, stretches.get(0).behind(last));
        }
        return new Ahead(left, known, span, pageItems).sized(page);
    }

    private Ahead sized(ItemPage page) {
        if (stretches.isEmpty()) {
            return this;
        }
        if (page.items().isEmpty()) {
            return sized(Math.max(span, Math.min(known, span * GROWTH)));
        }
        Item last = page.items().get(page.items().size() - 1);
        long numbers = last.number(CommitItems.SEQ)
                + last.numberOr(CommitItems.N, 1)
                - page.items().get(0).number(CommitItems.SEQ);
        long bytes = page.items().stream().mapToLong(Item::size).sum();
        double filled =
                Math.max((double) bytes / ItemSize.PAGE, (double) page.items().size() / pageItems);
        return sized(Math.max(numbers, (long) (numbers * Math.min(GROWTH, 1 / filled))));
    }

    private Ahead sized(long newSpan) {
        return new Ahead(stretches, known, newSpan, pageItems);
    }
}
