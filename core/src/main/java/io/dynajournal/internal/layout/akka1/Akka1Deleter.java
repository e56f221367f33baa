package io.dynajournal.internal.layout.akka1;

import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.dynamo.Item;
import io.dynajournal.internal.layout.Takeovers;
import io.dynajournal.internal.store.Pages;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;

/**
 * Deletes events. The low mark is raised first and hides all of them at once; the items are removed afterwards. A delete that
 * fails in between leaves items that no reader returns; the next delete of the persistence id removes them.
 *
 * <p><b>What stays.</b> When all events are deleted, a tombstone stays at the last sequence number. A tombstone also stays
 * wherever a writer took over from another. A stale writer continues after the last event that it knew, and this is where its
 * successor took over: there it is rejected. These tombstones are removed by a delete that comes after {@link #KEEP_SECONDS};
 * by then a stale writer compares its view with the table. They cost the write units of the removal that they replace.
 *
 * <p>To find out where a writer took over, the items are read before they are removed, and the low mark names the writer of
 * the last event before it. Sequence numbers without an item are not deleted, which would cost a write unit each.
 */
final class Akka1Deleter {

    /** Twice the time for which a view is used without a check. */
    private static final long KEEP_SECONDS = 2 * Akka1Writer.VIEW_LIFETIME_MILLIS / 1000;

    private final Dynamo dynamo;
    private final String table;
    private final Akka1Keys keys;
    private final Akka1Marks marks;
    private final Akka1Reader reader;

    Akka1Deleter(Dynamo dynamo, Akka1Journal settings, Akka1Reader reader) {
        this.dynamo = dynamo;
        this.table = settings.tableName();
        this.keys = settings.keys();
        this.marks = new Akka1Marks(dynamo, settings);
        this.reader = reader;
    }

    /**
     * An item without its event.
     *
     * @param keepUntil for the tombstone of a deleted event, in epoch seconds; null for all other items
     */
    private record Row(long seqNr, String writer, @Nullable Long keepUntil) {}

    /** A write in flight is not deleted. */
    CompletionStage<Void> deleteTo(String persistenceId, long toSeqNr) {
        return reader.tail(persistenceId).thenCompose(tail -> {
            long lowest = tail.marks().firstReadable();
            long to = Math.min(toSeqNr, tail.finished());
            if (to < 1) {
                return CompletableFuture.completedFuture(null);
            }
            // The tombstone of a log that was empty before stays.
            long leftover = lowest - 1 == tail.end().seqNr() ? lowest - 2 : lowest - 1;
            if (to < lowest) {
                return removeLeftovers(persistenceId, leftover);
            }
            boolean everything = to == tail.end().seqNr();
            long highest = Akka1Keys.partition(to);
            return rows(persistenceId, highest, Math.max(lowest, Akka1Keys.start(highest)), to)
                    .thenCompose(rows -> marks.raiseLow(persistenceId, to + 1, lastWriter(rows))
                            .thenCompose(hidden -> removeLeftovers(persistenceId, leftover))
                            .thenCompose(removed -> remove(
                                    persistenceId,
                                    new Removal(tail.marks().deletedWriter(), everything ? to : 0),
                                    lowest,
                                    to,
                                    rows)));
        });
    }

    /** Removes the tombstones too, and then the marks, which keep the highest sequence number until the end. */
    CompletionStage<Void> reset(String persistenceId) {
        return deleteTo(persistenceId, Long.MAX_VALUE)
                .thenCompose(deleted -> reader.tail(persistenceId))
                .thenCompose(tail -> removeItemsTo(persistenceId, tail.end().seqNr()))
                .thenCompose(removed -> marks.remove(persistenceId));
    }

    private CompletionStage<Void> removeItemsTo(String persistenceId, long last) {
        return Pages.drain(
                0L,
                partition -> partition > Akka1Keys.partition(last)
                        ? CompletableFuture.completedFuture(null)
                        : rows(persistenceId, partition, Akka1Keys.start(partition), last)
                                .thenCompose(rows -> dynamo.deleteAll(
                                        table,
                                        rows.stream()
                                                .map(row -> key(persistenceId, row.seqNr()))
                                                .toList()))
                                .thenApply(removed -> partition + 1));
    }

    private static String lastWriter(List<Row> rows) {
        return rows.isEmpty() ? "" : rows.get(rows.size() - 1).writer();
    }

    /**
     * Removes one partition after another, in order.
     *
     * @param highest the rows of the highest partition, which were read before
     */
    private CompletionStage<Void> remove(
            String persistenceId, Removal removal, long lowest, long to, List<Row> highest) {
        return Pages.drain(Akka1Keys.partition(lowest), partition -> {
            if (partition > Akka1Keys.partition(to)) {
                return CompletableFuture.completedFuture(null);
            }
            CompletionStage<List<Row>> rows = partition == Akka1Keys.partition(to)
                    ? CompletableFuture.completedFuture(highest)
                    : rows(persistenceId, partition, Math.max(lowest, Akka1Keys.start(partition)), Long.MAX_VALUE);
            return rows.thenCompose(found -> apply(persistenceId, removal, found))
                    .thenApply(done -> partition + 1);
        });
    }

    /** Removes what an earlier delete has left, downwards until a partition is empty. */
    private CompletionStage<Void> removeLeftovers(String persistenceId, long highest) {
        return Pages.drain(highest, last -> {
            if (last < 1) {
                return CompletableFuture.completedFuture(null);
            }
            long partition = Akka1Keys.partition(last);
            long start = Akka1Keys.start(partition);
            return rows(persistenceId, partition, start, last)
                    .thenCompose(rows -> apply(persistenceId, new Removal(null, 0), rows)
                            .thenApply(done -> rows.isEmpty() ? null : start - 1));
        });
    }

    private CompletionStage<Void> apply(String persistenceId, Removal removal, List<Row> rows) {
        List<Item> tombstones = new ArrayList<>();
        List<Map<String, AttributeValue>> removed = new ArrayList<>();
        long now = dynamo.nowMicros() / 1_000_000;
        for (Row row : rows) {
            long keepUntil = removal.keepUntil(row, now);
            if (keepUntil == Removal.REMOVE) {
                removed.add(key(persistenceId, row.seqNr()));
            } else if (row.keepUntil() == null) {
                tombstones.add(Akka1Items.deleted(keys, persistenceId, row.seqNr(), row.writer(), keepUntil));
            }
        }
        return dynamo.putAll(table, tombstones).thenCompose(kept -> dynamo.deleteAll(table, removed));
    }

    /** Decides row by row, in order, which ones stay. Not thread-safe. */
    private static final class Removal {

        static final long REMOVE = -1;

        private final long last;
        private final Takeovers takeovers;

        /**
         * @param writer the writer before the first row; null if it is not known
         * @param last the last sequence number of a log that is deleted as a whole; 0 if it is not
         */
        Removal(@Nullable String writer, long last) {
            this.takeovers = new Takeovers(writer);
            this.last = last;
        }

        /** Until when a tombstone stays, in epoch seconds; 0 until the next delete, {@link #REMOVE} for none. */
        long keepUntil(Row row, long now) {
            boolean takeover = takeovers.isNext(row.writer());
            Long kept = row.keepUntil();
            if (kept != null) {
                return kept > now || row.seqNr() == last ? kept : REMOVE;
            }
            if (takeover) {
                return now + KEEP_SECONDS;
            }
            return row.seqNr() == last ? 0 : REMOVE;
        }
    }

    /** The items of one partition in a range, in order. */
    private CompletionStage<List<Row>> rows(String persistenceId, long partition, long from, long to) {
        long start = Akka1Keys.start(partition);
        long last = Math.min(to - start, Akka1Keys.PARTITION - 1);
        List<Row> rows = new ArrayList<>();
        return Pages.<Map<String, AttributeValue>>drain(
                        null,
                        key -> dynamo.query(QueryRequest.builder()
                                        .tableName(table)
                                        .consistentRead(true)
                                        .keyConditionExpression("#par = :par AND #num BETWEEN :from AND :to")
                                        .projectionExpression("#num, #writer, #keep, #pay")
                                        .expressionAttributeNames(Map.of(
                                                "#par", Akka1Items.PAR,
                                                "#num", Akka1Items.NUM,
                                                "#writer", Akka1Items.WRITER,
                                                "#pay", Akka1Items.PAY,
                                                "#keep", Akka1Items.KEEP_UNTIL))
                                        .expressionAttributeValues(Map.of(
                                                ":par", AttributeValue.fromS(keys.events(persistenceId, partition)),
                                                ":from", AttributeValue.fromN(Long.toString(from - start)),
                                                ":to", AttributeValue.fromN(Long.toString(last))))
                                        .exclusiveStartKey(key))
                                .thenApply(page -> {
                                    page.items().forEach(item -> rows.add(row(item, start)));
                                    return page.next();
                                }))
                .thenApply(done -> rows);
    }

    private static Row row(Item item, long start) {
        Akka1Items.Entry entry = Akka1Items.entry(item, Akka1Keys.partition(start));
        return new Row(
                entry.seqNr(),
                entry.writerOrUnknown(),
                item.has(Akka1Items.KEEP_UNTIL) ? item.number(Akka1Items.KEEP_UNTIL) : null);
    }

    private Map<String, AttributeValue> key(String persistenceId, long seqNr) {
        return Map.of(
                Akka1Items.PAR,
                AttributeValue.fromS(keys.events(persistenceId, Akka1Keys.partition(seqNr))),
                Akka1Items.NUM,
                AttributeValue.fromN(Long.toString(Akka1Keys.num(seqNr))));
    }
}
