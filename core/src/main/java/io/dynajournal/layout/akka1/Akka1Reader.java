package io.dynajournal.layout.akka1;

import io.dynajournal.dynamo.Dynamo;
import io.dynajournal.layout.Holes;
import io.dynajournal.layout.akka1.Akka1Items.Entry;
import io.dynajournal.layout.akka1.Akka1Marks.Marks;
import io.dynajournal.model.SeqRange;
import io.dynajournal.store.EventPage;
import io.dynajournal.store.LogEnd;
import io.dynajournal.store.LogHead;
import io.dynajournal.store.Pages;
import io.dynajournal.store.StoreException;
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
 * Reads partitions, consistently.
 *
 * <p>The end of a log is looked for from the high mark on, and always one partition further than something was found: a
 * mark may be missing, because the predecessor lost it or because nobody marked numbers behind a rejected one. A mark may
 * also stand before the event it announces; then the end lies in a partition below.
 */
final class Akka1Reader {

    /**
     * Where a log ends.
     *
     * @param finished the last number of what is whole at the end; less than the end while a write is under way
     */
    record Tail(LogEnd end, long finished, Marks marks) {}

    /** Items of a partition in order, and the first number that was not asked for. */
    private record Slice(List<Entry> entries, long next) {

        Slice from(long seqNr) {
            return new Slice(
                    entries.stream().filter(entry -> entry.seqNr() >= seqNr).toList(), next);
        }

        /** Whether no number is missing between the first item and what was not asked for. */
        boolean isDense() {
            return !entries.isEmpty() && next - entries.get(0).seqNr() == entries.size();
        }

        Optional<Entry> last() {
            return entries.isEmpty() ? Optional.empty() : Optional.of(entries.get(entries.size() - 1));
        }
    }

    /**
     * The first items that a recovery asks for, read before anything is known. The item in front of them is read too,
     * because with a snapshot that is often where the log ends.
     */
    private record Glance(long from, Slice slice) {

        /** The first number to ask for. */
        static long before(long from) {
            return Akka1Keys.num(from) == 0 ? from : from - 1;
        }

        long partition() {
            return Akka1Keys.partition(from);
        }

        /** Whether it tells which item of a partition is the last, if any. */
        boolean tellsLast(long partition) {
            boolean toItsEnd = slice.next() == following(from);
            boolean fromItsBeginning = Akka1Keys.num(before(from)) == 0;
            return partition == partition()
                    && toItsEnd
                    && (fromItsBeginning || !slice.entries().isEmpty());
        }

        /** Whether there is nothing at all in the first partition. */
        boolean isNothing() {
            return tellsLast(0) && slice.entries().isEmpty();
        }

        /**
         * Whether it saw all that lies before the end. Where the end was looked for in another partition, and later, a
         * writer may have filled the numbers that are missing here.
         */
        boolean isBefore(long end) {
            return slice.isDense() || (tellsLast(partition()) && Akka1Keys.partition(end) <= partition());
        }
    }

    /** Tells the last item of a partition. */
    private interface LastItems {
        CompletionStage<Optional<Entry>> of(long partition);
    }

    private final Dynamo dynamo;
    private final String table;
    private final Akka1Keys keys;
    private final Akka1Marks marks;
    private final Akka1LostMarks lostMarks;
    private final int parallelism;
    private final Holes holes;

    Akka1Reader(Dynamo dynamo, Akka1Journal settings, Akka1Marks marks, Akka1LostMarks lostMarks) {
        this.dynamo = dynamo;
        this.table = settings.tableName();
        this.keys = settings.keys();
        this.marks = marks;
        this.lostMarks = lostMarks;
        this.parallelism = settings.replayParallelism();
        this.holes = new Holes(table, settings.fatalHoles());
    }

    /**
     * The marks, and the first items at once; then one partition further than the log is known to reach. Only for an id of
     * which there is no trace, neither a mark nor an item in the first partition, nothing more is asked.
     */
    CompletionStage<LogHead> head(String persistenceId, long from) {
        CompletionStage<Glance> glance =
                slice(persistenceId, Glance.before(from), Long.MAX_VALUE).thenApply(slice -> new Glance(from, slice));
        return marks.read(persistenceId)
                .thenCompose(found -> glance.thenCompose(first -> head(persistenceId, found, first)));
    }

    private CompletionStage<LogHead> head(String persistenceId, Marks found, Glance glance) {
        if (found.isNone() && glance.isNothing()) {
            LogEnd end = tail(found, Optional.empty()).end();
            return CompletableFuture.completedFuture(new LogHead(
                    end, Akka1Cursor.start(1, end.seqNr(), 1, glance.slice().next(), List.of())));
        }
        LastItems last = partition -> glance.tellsLast(partition)
                ? CompletableFuture.completedFuture(glance.slice().last())
                : last(persistenceId, partition);
        return tail(persistenceId, found, last).thenCompose(tail -> {
            long end = tail.end().seqNr();
            long start = Math.max(glance.from(), found.firstReadable());
            CompletionStage<Slice> items = Akka1Keys.partition(start) == glance.partition() && glance.isBefore(end)
                    ? CompletableFuture.completedFuture(glance.slice().from(start))
                    : slice(persistenceId, start, Long.MAX_VALUE);
            return items.thenCompose(slice -> first(persistenceId, start, found, slice))
                    .thenApply(cursor -> new LogHead(tail.end(), cursor.to(end)));
        });
    }

    CompletionStage<Tail> tail(String persistenceId) {
        return marks.read(persistenceId)
                .thenCompose(found -> tail(persistenceId, found, partition -> last(persistenceId, partition)));
    }

    CompletionStage<EventPage> read(String persistenceId, SeqRange range, @Nullable Akka1Cursor start) {
        if (start == null) {
            return range.granularity() == SeqRange.Granularity.SINGLE_EVENTS
                    ? besideAWriter(persistenceId, range.from()).thenCompose(at -> read(persistenceId, range, at))
                    : head(persistenceId, range.from())
                            .thenCompose(head -> read(persistenceId, range, (Akka1Cursor) head.firstPage()));
        }
        Akka1Walk walk = new Akka1Walk(persistenceId, range, start);
        // What was read last ended inside its partition: one that takes several pages.
        boolean large = start.large() || Akka1Keys.num(start.next()) != 0;
        if (!start.held().isEmpty() || start.next() > walk.limit()) {
            walk.take(start.held());
            return page(persistenceId, walk, start.next(), large);
        }
        int partitions = large ? 1 : (int) Math.min(parallelism, walk.room() / Akka1Keys.PARTITION + 1);
        return slices(persistenceId, start.next(), walk.limit(), partitions).thenCompose(slices -> {
            long next = start.next();
            boolean whole = true;
            for (Iterator<Slice> each = slices.iterator(); each.hasNext() && whole; ) {
                Slice slice = each.next();
                walk.take(slice.entries());
                next = slice.next();
                // What was read behind a partition that goes on is read again, and from there on nothing is read ahead.
                whole = Akka1Keys.num(next) == 0 || next > walk.limit();
            }
            return page(persistenceId, walk, next, large || !whole);
        });
    }

    /**
     * For queries, which read while others write: the end is looked for first, so that all before it is there when it is
     * read; and a write under way is not accounted for, because it may still be finished.
     */
    private CompletionStage<Akka1Cursor> besideAWriter(String persistenceId, long from) {
        return tail(persistenceId).thenCompose(tail -> {
            long start = Math.max(from, tail.marks().firstReadable());
            return slice(persistenceId, start, Long.MAX_VALUE)
                    .thenCompose(slice -> first(persistenceId, start, tail.marks(), slice))
                    .thenApply(cursor -> cursor.to(tail.finished()));
        });
    }

    /** Up to so many partitions at once, each to its first page. */
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

    /** The first number of the partition behind; the last partition of all has none, and may be asked for. */
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
     * What is missing was rejected or never finished, or it was deleted while we were reading: then what was read before it
     * is gone as well, and reading must start again.
     */
    private CompletionStage<Void> checked(String persistenceId, Akka1Walk walk) {
        if (walk.firstMissing() == Akka1Walk.NOTHING) {
            return CompletableFuture.completedFuture(null);
        }
        return marks.read(persistenceId).thenAccept(now -> {
            if (now.low() > walk.firstMissing()) {
                throw new StoreException.LogMoved("Events of " + persistenceId + " up to " + (now.low() - 1)
                        + " in table " + table + " were deleted while they were read.");
            }
            Akka1Walk.Hole hole = walk.hole();
            if (hole != null) {
                holes.found(persistenceId, hole.before(), hole.after());
            }
        });
    }

    /** A cursor that lacks the end, up to which a recovery and a query go differently. */
    private interface Cursors {
        Akka1Cursor to(long end);
    }

    /**
     * The first items from a number on. If they begin inside an atomic write, they are read from its beginning, because
     * half of a write that was never finished must not be taken for the end of a whole one.
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
                    lostMarks.note(
                            persistenceId, Akka1Keys.partition(tail.end().seqNr()) > Akka1Keys.partition(found.high()));
                    return tail;
                });
    }

    /** The last item of the partitions from this one on, up to the first that is empty. */
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

    /** The last item of the partitions from this one down. */
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
     * A write that is not finished ends one number before its last: whoever recovers goes on with exactly the number that
     * its writer needs to finish, and one of the two is refused.
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
