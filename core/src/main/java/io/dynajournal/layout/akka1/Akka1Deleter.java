package io.dynajournal.layout.akka1;

import io.dynajournal.dynamo.Dynamo;
import io.dynajournal.store.Pages;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;

/**
 * Deletes events. The low mark goes up first and hides all of them at once; the items follow. A delete that breaks off
 * leaves items that nobody reads; its failure is told, and the next delete of the id removes them.
 *
 * <p>When everything is deleted, the last number keeps an item without a payload: it stops a writer that is behind.
 */
final class Akka1Deleter {

    private final Dynamo dynamo;
    private final String table;
    private final Akka1Keys keys;
    private final Akka1Marks marks;
    private final Akka1Reader reader;

    Akka1Deleter(Dynamo dynamo, Akka1Journal settings, Akka1Marks marks, Akka1Reader reader) {
        this.dynamo = dynamo;
        this.table = settings.tableName();
        this.keys = settings.keys();
        this.marks = marks;
        this.reader = reader;
    }

    /** A write that is under way is not touched. */
    CompletionStage<Void> deleteTo(String persistenceId, long toSeqNr) {
        return reader.tail(persistenceId).thenCompose(tail -> {
            long lowest = tail.marks().firstReadable();
            long to = Math.min(toSeqNr, tail.finished());
            if (to < 1) {
                return CompletableFuture.completedFuture(null);
            }
            boolean everything = to == tail.end().seqNr() && to >= lowest;
            CompletionStage<Void> hidden =
                    to >= lowest ? marks.raiseLow(persistenceId, to + 1) : CompletableFuture.completedFuture(null);
            return hidden.thenCompose(done -> everything
                            ? keepNumber(persistenceId, to, tail.end().writer())
                            : CompletableFuture.completedFuture(null))
                    .thenCompose(done ->
                            // A log that is empty already keeps its last number.
                            removeTo(persistenceId, lowest - 1 == tail.end().seqNr() ? lowest - 2 : lowest - 1))
                    .thenCompose(done -> remove(persistenceId, lowest, everything ? to - 1 : to));
        });
    }

    private CompletionStage<Void> keepNumber(String persistenceId, long seqNr, String writer) {
        return dynamo.put(PutItemRequest.builder()
                        .tableName(table)
                        .item(Akka1Items.reservation(keys, persistenceId, seqNr, seqNr + 1, writer)
                                .attributes()))
                .thenAccept(old -> {});
    }

    /** A partition at a time, in order. */
    private CompletionStage<Void> remove(String persistenceId, long from, long to) {
        return Pages.drain(from, first -> {
            if (first > to) {
                return CompletableFuture.completedFuture(null);
            }
            long last = Math.min(to, Akka1Keys.start(Akka1Keys.partition(first) + 1) - 1);
            return dynamo.deleteAll(
                            table,
                            LongStream.rangeClosed(first, last)
                                    .mapToObj(seqNr -> key(persistenceId, seqNr))
                                    .toList())
                    .thenApply(done -> last + 1);
        });
    }

    /** What an earlier delete has left: downwards as long as something is there. */
    private CompletionStage<Void> removeTo(String persistenceId, long highest) {
        return Pages.drain(
                highest,
                last -> last < 1
                        ? CompletableFuture.completedFuture(null)
                        : left(persistenceId, last)
                                .thenCompose(left -> dynamo.deleteAll(
                                                table,
                                                left.numbers().stream()
                                                        .map(seqNr -> key(persistenceId, seqNr))
                                                        .toList())
                                        .thenApply(done -> left.next())));
    }

    /**
     * Numbers that have an item.
     *
     * @param next the number to go on with, null at the end
     */
    private record Left(List<Long> numbers, @Nullable Long next) {}

    private CompletionStage<Left> left(String persistenceId, long last) {
        long partition = Akka1Keys.partition(last);
        long start = Akka1Keys.start(partition);
        return dynamo.query(QueryRequest.builder()
                        .tableName(table)
                        .consistentRead(true)
                        .keyConditionExpression("#par = :par AND #num <= :last")
                        .projectionExpression("#num")
                        .expressionAttributeNames(Map.of("#par", Akka1Items.PAR, "#num", Akka1Items.NUM))
                        .expressionAttributeValues(Map.of(
                                ":par", AttributeValue.fromS(keys.events(persistenceId, partition)),
                                ":last", AttributeValue.fromN(Long.toString(Akka1Keys.num(last))))))
                .thenApply(page -> {
                    List<Long> numbers = page.items().stream()
                            .map(item -> start + item.number(Akka1Items.NUM))
                            .toList();
                    // Those of a first megabyte are deleted before the rest is asked for, by the same question.
                    Long more = page.next() != null ? last : start - 1;
                    return new Left(numbers, numbers.isEmpty() ? null : more);
                });
    }

    private Map<String, AttributeValue> key(String persistenceId, long seqNr) {
        return Map.of(
                Akka1Items.PAR,
                AttributeValue.fromS(keys.events(persistenceId, Akka1Keys.partition(seqNr))),
                Akka1Items.NUM,
                AttributeValue.fromN(Long.toString(Akka1Keys.num(seqNr))));
    }
}
