package io.dynajournal.internal.layout.akka1;

import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.layout.GapReporter;
import io.dynajournal.internal.layout.akka1.Akka1Items.Entry;
import io.dynajournal.internal.layout.akka1.Akka1Marks.Marks;
import io.dynajournal.internal.model.SeqRange;
import io.dynajournal.internal.store.EventPage;
import io.dynajournal.internal.store.LogEnd;
import io.dynajournal.internal.store.LogHead;
import io.dynajournal.internal.store.Pages;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;

/**
 * Reads events with consistent reads, partition by partition.
 *
 * <p>The end of a log is searched from the high mark upwards, always one partition beyond the last one that has items: a mark
 * may be missing, because the predecessor lost it or never wrote one after a rejected event. A mark may also be stored
 * before its event; then the end is in a lower partition.
 */
final class Akka1Reader {

    /**
     * The end of a log.
     *
     * @param finished the last sequence number of the last complete write; less than the end while a write is in flight
     */
    record Tail(LogEnd end, long finished, Marks marks) {}

    /** Items of a partition in order, and the first sequence number that was not requested. */
    private record Slice(List<Entry> entries, long next) {

        Slice from(long seqNr) {
            return new Slice(
                    entries.stream().filter(entry -> entry.seqNr() >= seqNr).toList(), next);
        }

        /** Whether every sequence number from the first item up to {@code next} has an item. */
        boolean isDense() {
            return !entries.isEmpty() && next - entries.get(0).seqNr() == entries.size();
        }

        Optional<Entry> last() {
            return entries.isEmpty() ? Optional.empty() : Optional.of(entries.get(entries.size() - 1));
        }
    }

    /**
     * The first items of a recovery, read concurrently with the marks. The item before them is read too, because after a
     * snapshot the log often ends there.
     */
    private record FirstRead(long from, Slice slice) {

        /** The first sequence number to request. */
        static long before(long from) {
            return Akka1Keys.num(from) == 0 ? from : from - 1;
        }

        long partition() {
            return Akka1Keys.partition(from);
        }

        /** Whether the last item of a partition, if there is one, is known from this read. */
        boolean includesLast(long partition) {
            boolean toItsEnd = slice.next() == following(from);
            boolean fromItsBeginning = Akka1Keys.num(before(from)) == 0;
            return partition == partition()
                    && toItsEnd
                    && (fromItsBeginning || !slice.entries().isEmpty());
        }

        /** Whether the first partition is empty. */
        boolean isFirstPartitionEmpty() {
            return includesLast(0) && slice.entries().isEmpty();
        }

        /**
         * Whether these items are complete up to the end. If the end was found later in another partition, a writer may have
         * stored the sequence numbers that are missing here in the meantime.
         */
        boolean isCompleteTo(long end) {
            return slice.isDense() || (includesLast(partition()) && Akka1Keys.partition(end) <= partition());
        }
    }

    /** Finds the last item of a partition. */
    private interface LastItems {
        CompletionStage<Optional<Entry>> of(long partition);
    }

    private final Dynamo dynamo;
    private final String table;
    private final Akka1Keys keys;
    private final Akka1Marks marks;
    private final Akka1LostMarks lostMarks;
    private final int parallelism;
    private final GapReporter gaps;

    Akka1Reader(Dynamo dynamo, Akka1Journal settings, Akka1LostMarks lostMarks) {
        this.dynamo = dynamo;
        this.table = settings.tableName();
        this.keys = settings.keys();
        this.marks = new Akka1Marks(dynamo, settings);
        this.lostMarks = lostMarks;
        this.parallelism = settings.replayParallelism();
        this.gaps = new GapReporter(table, settings.fatalGaps());
    }

    /**
     * Reads the marks and the first items concurrently, then one partition beyond the last one that has items. A persistence
     * id without marks and without items in the first partition is new and needs no further request.
     */
    CompletionStage<LogHead> head(String persistenceId, long from) {
        CompletionStage<FirstRead> firstRead = slice(persistenceId, FirstRead.before(from), Long.MAX_VALUE)
                .thenApply(slice -> new FirstRead(from, slice));
        return marks.read(persistenceId)
                .thenCompose(found -> firstRead.thenCompose(first -> head(persistenceId, found, first)));
    }

    private CompletionStage<LogHead> head(String persistenceId, Marks found, FirstRead first) {
        if (found.isNone() && first.isFirstPartitionEmpty()) {
            LogEnd end = tail(found, Optional.empty()).end();
            return CompletableFuture.completedFuture(new LogHead(
                    end, Akka1Cursor.start(1, end.seqNr(), 1, first.slice().next(), List.of())));
        }
        LastItems last = partition -> first.includesLast(partition)
                ? CompletableFuture.completedFuture(first.slice().last())
                : last(persistenceId, partition);
        return tail(persistenceId, found, last).thenCompose(tail -> {
            long end = tail.end().seqNr();
            long start = Math.max(first.from(), found.firstReadable());
            CompletionStage<Slice> items = Akka1Keys.partition(start) == first.partition() && first.isCompleteTo(end)
                    ? CompletableFuture.completedFuture(first.slice().from(start))
                    : slice(persistenceId, start, Long.MAX_VALUE);
            return items.thenCompose(slice -> first(persistenceId, start, found, slice))
                    .thenApply(cursor -> new LogHead(tail.end(), cursor.to(end)));
        });
    }

    CompletionStage<Tail> tail(String persistenceId) {
        return marks.read(persistenceId)
                .thenCompose(found -> tail(persistenceId, found, partition -> last(persistenceId, partition)));
    }

    /** Items in order, and the first sequence number that was not read. */
    record Entries(List<Entry> entries, long next) {}

    /** The items of a partition from a sequence number on. */
    CompletionStage<Entries> entries(String persistenceId, long from, long to) {
        return slice(persistenceId, from, to).thenApply(slice -> new Entries(slice.entries(), slice.next()));
    }

    CompletionStage<EventPage> read(String persistenceId, SeqRange range, @Nullable Akka1Cursor start) {
        if (start == null) {
            return range.granularity() == SeqRange.Granularity.SINGLE_EVENTS
                    ? startOfQuery(persistenceId, range.from()).thenCompose(at -> read(persistenceId, range, at))
                    : head(persistenceId, range.from())
                            .thenCompose(head -> read(persistenceId, range, (Akka1Cursor) head.firstPage()));
        }
        Akka1Walk walk = new Akka1Walk(persistenceId, range, start);
        // The last page ended inside a partition, so that partition takes several pages.
        boolean large = start.large() || Akka1Keys.num(start.next()) != 0;
        if (!start.held().isEmpty() || start.next() > walk.limit()) {
            walk.take(start.held());
            return page(persistenceId, walk, start.next(), large);
        }
        int partitions = large ? 1 : (int) Math.min(parallelism, walk.remaining() / Akka1Keys.PARTITION + 1);
        return slices(persistenceId, start.next(), walk.limit(), partitions).thenCompose(slices -> {
            long next = start.next();
            boolean whole = true;
            for (Iterator<Slice> each = slices.iterator(); each.hasNext() && whole; ) {
                Slice slice = each.next();
                walk.take(slice.entries());
                next = slice.next();
                // After a partition of several pages, what was read ahead is discarded and reading ahead ends.
                whole = Akka1Keys.num(next) == 0 || next > walk.limit();
            }
            return page(persistenceId, walk, next, large || !whole);
        });
    }

    /**
     * The start of a query, which reads while others write: the end is read before the events, so that all events up to it are
     * stored. A write in flight is not counted, because it may still be completed.
     */
    private CompletionStage<Akka1Cursor> startOfQuery(String persistenceId, long from) {
        return tail(persistenceId).thenCompose(tail -> {
            long start = Math.max(from, tail.marks().firstReadable());
            return slice(persistenceId, start, Long.MAX_VALUE)
                    .thenCompose(slice -> first(persistenceId, start, tail.marks(), slice))
                    .thenApply(cursor -> cursor.to(tail.finished()));
        });
    }

    /** The first page of each of several partitions, read concurrently. */
    private CompletionStage<List<Slice>> slices(String persistenceId, long from, long to, int partitions) {
        CompletionStage<List<Slice>> all = CompletableFuture.completedFuture(List.of());
        long at = from;
        for (int i = 0; i < partitions && at <= to; i++) {
            CompletionStage<Slice> slice = slice(persistenceId, at, to);
            all = all.thenCombine(slice, (before, next) -> {
                List<Slice> both = new ArrayList<>(before);
                both.add(next);
                return both;
            });
            at = following(at);
        }
        return all;
    }

    /** The first sequence number of the next partition. The very last partition has none. */
    private static long following(long seqNr) {
        long partition = Akka1Keys.partition(seqNr);
        return partition < Akka1Keys.LAST_PARTITION ? Akka1Keys.start(partition + 1) : Long.MAX_VALUE;
    }

    private CompletionStage<EventPage> page(String persistenceId, Akka1Walk walk, long next, boolean large) {
        boolean done = walk.isCut() || next > walk.limit();
        if (done) {
            walk.finish();
        }
        return checked(persistenceId, walk)
                .thenApply(checked -> new EventPage(
                        walk.events(), walk.covered(), walk.isCut(), done ? null : walk.next(next, large)));
    }

    /**
     * Checks why sequence numbers are missing. If they were deleted during the read, the events before them are deleted too
     * and the read must start again; otherwise an event was rejected or a write was never completed.
     */
    private CompletionStage<Void> checked(String persistenceId, Akka1Walk walk) {
        if (walk.firstMissing() == Akka1Walk.NOTHING) {
            return CompletableFuture.completedFuture(null);
        }
        return marks.read(persistenceId).thenAccept(now -> {
            if (now.low() > walk.firstMissing()) {
                throw new StoreException.LogMoved("The events of " + persistenceId + " up to sequence number "
                        + (now.low() - 1) + " in table " + table
                        + " were deleted while they were read. Recover or query again.");
            }
            GapReporter.Gap gap = walk.gap();
            if (gap != null) {
                gaps.found(persistenceId, gap.before(), gap.after());
            }
        });
    }

    /** A cursor without its end, which differs between a recovery and a query. */
    private interface Cursors {
        Akka1Cursor to(long end);
    }

    /**
     * The first items from a sequence number on. If they begin inside an atomic write, that write is read from its beginning:
     * the rest of a write that was never completed must not be taken for the end of a complete one.
     */
    private CompletionStage<Cursors> first(String persistenceId, long start, Marks found, Slice slice) {
        long first = slice.entries().isEmpty()
                ? start
                : Math.max(found.firstReadable(), slice.entries().get(0).first());
        if (first >= start) {
            return CompletableFuture.completedFuture(
                    end -> Akka1Cursor.start(found.firstReadable(), end, start, slice.next(), slice.entries()));
        }
        return slice(persistenceId, first, Long.MAX_VALUE)
                .thenApply(whole ->
                        end -> Akka1Cursor.start(found.firstReadable(), end, first, whole.next(), whole.entries()));
    }

    /** One page of the partition of {@code from}. */
    private CompletionStage<Slice> slice(String persistenceId, long from, long to) {
        long partition = Akka1Keys.partition(from);
        long following = following(from);
        long last = to < following ? Akka1Keys.num(to) : Akka1Keys.PARTITION - 1;
        return dynamo.query(query(persistenceId, partition, Akka1Keys.num(from), last))
                .thenApply(page -> {
                    List<Entry> entries = page.items().stream()
                            .map(item -> Akka1Items.entry(item, partition))
                            .toList();
                    boolean more = page.next() != null && !entries.isEmpty();
                    return new Slice(
                            entries, more ? entries.get(entries.size() - 1).seqNr() + 1 : following);
                });
    }

    private QueryRequest.Builder query(String persistenceId, long partition, long from, long to) {
        return QueryRequest.builder()
                .tableName(table)
                .consistentRead(true)
                .keyConditionExpression("#par = :par AND #num BETWEEN :from AND :to")
                .expressionAttributeNames(Map.of("#par", Akka1Items.PAR, "#num", Akka1Items.NUM))
                .expressionAttributeValues(Map.of(
                        ":par", AttributeValue.fromS(keys.events(persistenceId, partition)),
                        ":from", AttributeValue.fromN(Long.toString(from)),
                        ":to", AttributeValue.fromN(Long.toString(to))));
    }

    /** The last item of a partition. */
    private CompletionStage<Optional<Entry>> last(String persistenceId, long partition) {
        return dynamo.query(query(persistenceId, partition, 0, Akka1Keys.PARTITION - 1)
                        .scanIndexForward(false)
                        .limit(1))
                .thenApply(page -> page.items().stream().findFirst().map(item -> Akka1Items.entry(item, partition)));
    }

    private CompletionStage<Tail> tail(String persistenceId, Marks found, LastItems last) {
        long marked = Akka1Keys.partition(found.high());
        CompletionStage<Optional<Entry>> further = upwards(marked + 1, last);
        return last.of(marked)
                .thenCombine(further, (here, above) -> above.isPresent() ? above : here)
                .thenCompose(entry -> entry.isEmpty() && found.low() <= found.high()
                        ? downwards(marked - 1, Akka1Keys.partition(found.low()), last)
                        : CompletableFuture.completedFuture(entry))
                .thenApply(entry -> {
                    Tail tail = tail(found, entry);
                    lostMarks.set(
                            persistenceId, Akka1Keys.partition(tail.end().seqNr()) > Akka1Keys.partition(found.high()));
                    return tail;
                });
    }

    /** The last item of the partitions from this one upwards, up to the first that is empty. */
    private static CompletionStage<Optional<Entry>> upwards(long partition, LastItems last) {
        AtomicReference<Optional<Entry>> found = new AtomicReference<>(Optional.empty());
        return Pages.drain(
                        partition,
                        at -> last.of(at).thenApply(entry -> {
                            if (entry.isEmpty()) {
                                return null;
                            }
                            found.set(entry);
                            return at + 1;
                        }))
                .thenApply(done -> found.get());
    }

    /** The last item of the partitions from this one downwards. */
    private static CompletionStage<Optional<Entry>> downwards(long partition, long lowest, LastItems last) {
        AtomicReference<Optional<Entry>> found = new AtomicReference<>(Optional.empty());
        return Pages.drain(
                        partition,
                        at -> at < lowest
                                ? CompletableFuture.completedFuture(null)
                                : last.of(at).thenApply(entry -> {
                                    found.set(entry);
                                    return entry.isPresent() ? null : at - 1;
                                }))
                .thenApply(done -> found.get());
    }

    /**
     * The end of a log. An incomplete write ends one sequence number before its last: the next writer then uses exactly the
     * sequence number that the other needs to complete its write, and one of the two is rejected.
     */
    private Tail tail(Marks found, Optional<Entry> entry) {
        long deleted = Math.max(0, found.low() - 1);
        long millis = dynamo.nowMicros() / 1000;
        if (entry.isEmpty()) {
            return new Tail(new LogEnd(deleted, 0, "", millis), deleted, found);
        }
        Entry last = entry.get();
        boolean finished = last.seqNr() == last.last();
        long end = Math.max(deleted, finished ? last.seqNr() : last.last() - 1);
        return new Tail(
                new LogEnd(end, 0, last.writer(), millis),
                Math.max(deleted, finished ? last.seqNr() : last.first() - 1),
                found);
    }
}
