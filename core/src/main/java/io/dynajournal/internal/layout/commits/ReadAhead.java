package io.dynajournal.internal.layout.commits;

import io.dynajournal.internal.dynamo.Item;
import io.dynajournal.internal.dynamo.ItemPage;
import io.dynajournal.internal.dynamo.ItemSize;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The part of a log after the current page: segments in ascending order, some of them with a request in flight. As far as
 * the log is known to reach, several segments are requested concurrently; each is about a quarter of a full page.
 *
 * @param segments what is left to read
 * @param knownSeqNr the last sequence number that is known to exist; 0 if the end of the log has not been read
 * @param seqNrsPerPage how many sequence numbers fill a page, estimated from the last one
 * @param maxPageItems the limit of commits per page
 */
record ReadAhead(List<Segment> segments, long knownSeqNr, long seqNrsPerPage, int maxPageItems) {

    /**
     * A range of adjacent sequence numbers, both ends included.
     *
     * @param page its first page; null until it is requested
     */
    record Segment(long from, long to, @Nullable CompletionStage<ItemPage> page) {

        boolean isEmpty() {
            return from > to;
        }

        /** What follows after {@code end}. Nothing follows after the largest sequence number. */
        Segment after(long end) {
            return end == Long.MAX_VALUE ? new Segment(end, 0, null) : new Segment(end + 1, to, null);
        }
    }

    /** Requests the first page of a segment. */
    interface PageQuery {
        CompletionStage<ItemPage> request(long from, long to);
    }

    /**
     * Short segments arrive sooner and are decoded while others are in flight; and if later events are larger than earlier
     * ones, few segments need a second request.
     */
    private static final int SEGMENTS_PER_PAGE = 4;

    /** Limits the growth of segments from page to page, so that a few small events do not mislead the estimate. */
    private static final long MAX_GROWTH = 8;

    /**
     * What is left after the first page.
     *
     * @param to the last sequence number to read, whether the log reaches it or not
     */
    static ReadAhead after(ItemPage firstPage, long to, int maxPageItems) {
        return new ReadAhead(List.of(new Segment(0, to, null)), 0, 1, maxPageItems).afterFirst(firstPage);
    }

    ReadAhead withKnownSeqNr(long seqNr) {
        return new ReadAhead(segments, seqNr, seqNrsPerPage, maxPageItems);
    }

    boolean isEmpty() {
        return segments.isEmpty();
    }

    /** How many requests are in flight, or answered and not yet replayed. */
    long inFlight() {
        return segments.stream().filter(segment -> segment.page() != null).count();
    }

    /** Requests the next segment only. */
    ReadAhead requestOne(PageQuery query) {
        Segment first = segments.get(0);
        long end = segmentEnd(first);
        Segment requested = new Segment(first.from(), end, query.request(first.from(), end));
        Segment rest = first.after(end);
        return with(rest.isEmpty() ? List.of(requested) : List.of(requested, rest));
    }

    /**
     * Requests the first segment, and more until {@code maxInFlight} are in flight, as far as the log is known and wanted.
     *
     * @param to the last sequence number to read
     * @param wanted the last sequence number that is probably needed; the first segment is requested in any case
     */
    ReadAhead request(long to, long wanted, int maxInFlight, PageQuery query) {
        long last = Math.min(knownSeqNr, wanted);
        long inFlight = inFlight();
        List<Segment> result = new ArrayList<>();
        for (Segment segment : segments) {
            if (segment.page() != null) {
                result.add(segment);
                continue;
            }
            Segment rest = new Segment(segment.from(), Math.min(segment.to(), to), null);
            while (!rest.isEmpty() && (result.isEmpty() || (inFlight < maxInFlight && rest.from() <= last))) {
                long end = maxInFlight == 1 ? rest.to() : segmentEnd(rest);
                result.add(new Segment(rest.from(), end, query.request(rest.from(), end)));
                rest = rest.after(end);
                inFlight++;
            }
            if (!rest.isEmpty()) {
                result.add(rest);
            }
        }
        return with(result);
    }

    /** Divides what is known into segments of equal length; the last one has an open end. */
    private long segmentEnd(Segment rest) {
        long known = Math.min(knownSeqNr, rest.to()) - rest.from() + 1;
        long length = Math.max(1, seqNrsPerPage / SEGMENTS_PER_PAGE);
        if (known <= length) {
            return rest.to();
        }
        long count = (known - 1) / length + 1;
        return rest.from() + (known - 1) / count;
    }

    /** The page of the first segment, which must have been requested. */
    CompletionStage<ItemPage> first() {
        CompletionStage<ItemPage> page = segments.get(0).page();
        if (page == null) {
            throw new IllegalStateException("The first segment has not been requested");
        }
        return page;
    }

    /** What is left once the first page has arrived, which may not be all of its segment. */
    ReadAhead afterFirst(ItemPage page) {
        List<Segment> rest = new ArrayList<>(segments.subList(1, segments.size()));
        if (page.next() != null) {
            long last = Item.of(page.next()).number(ItemKey.SEQ);
            rest.add(0, segments.get(0).after(last));
        }
        return with(rest).estimatedBy(page);
    }

    private ReadAhead estimatedBy(ItemPage page) {
        if (segments.isEmpty()) {
            return this;
        }
        if (page.items().isEmpty()) {
            return withSeqNrsPerPage(Math.max(seqNrsPerPage, Math.min(knownSeqNr, seqNrsPerPage * MAX_GROWTH)));
        }
        Item last = page.items().get(page.items().size() - 1);
        long seqNrs = last.number(ItemKey.SEQ)
                + last.numberOr(CommitItems.COUNT, 1)
                - page.items().get(0).number(ItemKey.SEQ);
        long bytes = page.items().stream().mapToLong(Item::size).sum();
        double filled =
                Math.max((double) bytes / ItemSize.PAGE, (double) page.items().size() / maxPageItems);
        return withSeqNrsPerPage(Math.max(seqNrs, (long) (seqNrs * Math.min(MAX_GROWTH, 1 / filled))));
    }

    private ReadAhead withSeqNrsPerPage(long estimate) {
        return new ReadAhead(segments, knownSeqNr, estimate, maxPageItems);
    }

    private ReadAhead with(List<Segment> newSegments) {
        return new ReadAhead(newSegments, knownSeqNr, seqNrsPerPage, maxPageItems);
    }
}
