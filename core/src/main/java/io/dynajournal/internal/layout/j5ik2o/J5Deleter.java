package io.dynajournal.internal.layout.j5ik2o;

import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.dynamo.Item;
import io.dynajournal.internal.layout.Takeovers;
import io.dynajournal.internal.store.Pages;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Deletes rows in order, page by page, under the keys they were found with. Soft deletes mark rows, as the predecessor does by
 * default. Hard deletes remove rows, with two exceptions, which are only marked: the last row of a log keeps the highest
 * sequence number, for the predecessor too; and a row with which a writer took over from another stops a stale writer, which
 * continues there. The latter is removed by a delete that comes after {@link #TAKEOVER_MILLIS}, when a stale writer compares
 * its view with the table. Marking a row costs what removing it costs.
 */
final class J5Deleter {

    /** Longer than a view is used without a check, plus the longest time that a request can be under way. */
    private static final long TAKEOVER_MILLIS = TimeUnit.MINUTES.toMillis(15);

    private final Dynamo dynamo;
    private final J5Journal settings;
    private final J5Items items;
    private final J5Reader reader;

    J5Deleter(Dynamo dynamo, J5Journal settings, J5Reader reader) {
        this.dynamo = dynamo;
        this.settings = settings;
        this.items = settings.items();
        this.reader = reader;
    }

    CompletionStage<Void> deleteTo(String persistenceId, long toSeqNr) {
        if (toSeqNr < 1) {
            return CompletableFuture.completedFuture(null);
        }
        if (settings.softDelete()) {
            return pages(persistenceId, toSeqNr, this::mark);
        }
        Takeovers takeovers = new Takeovers(null);
        return reader.end(persistenceId)
                .thenCompose(end -> pages(persistenceId, toSeqNr, rows -> remove(rows, end.seqNr(), takeovers)));
    }

    /** Removes all rows, those that soft deletes have marked too; the last ones at the end, because they keep the number. */
    CompletionStage<Void> reset(String persistenceId) {
        return reader.end(persistenceId)
                .thenCompose(end -> end.seqNr() == 0
                        ? CompletableFuture.completedFuture(null)
                        : removeTo(persistenceId, end.seqNr()));
    }

    private CompletionStage<Void> removeTo(String persistenceId, long last) {
        Takeovers takeovers = new Takeovers(null);
        return pages(persistenceId, last, rows -> remove(rows, last, takeovers))
                .thenCompose(deleted -> pages(persistenceId, last, this::removeAll));
    }

    private CompletionStage<Void> removeAll(List<Item> rows) {
        return dynamo.deleteAll(
                settings.tableName(),
                rows.stream().map(row -> items.key(row).attributes()).toList());
    }

    private interface Step {
        CompletionStage<Void> delete(List<Item> rows);
    }

    private CompletionStage<Void> pages(String persistenceId, long to, Step step) {
        return Pages.<J5Cursor>drain(
                null,
                start -> next(persistenceId, to, start)
                        .thenCompose(cursor -> step.delete(cursor.rows()).thenApply(deleted -> rest(cursor))));
    }

    private CompletionStage<J5Cursor> next(String persistenceId, long to, @Nullable J5Cursor start) {
        return start == null ? reader.open(persistenceId, 1, to) : reader.more(persistenceId, to, start);
    }

    private static @Nullable J5Cursor rest(J5Cursor cursor) {
        J5Cursor rest = cursor.after(cursor.state());
        return rest.isAtEnd() ? null : rest;
    }

    private CompletionStage<Void> mark(List<Item> rows) {
        return dynamo.putAll(
                settings.tableName(),
                rows.stream()
                        .filter(row -> !items.entry(row).deleted())
                        .map(items::deleted)
                        .toList());
    }

    private CompletionStage<Void> remove(List<Item> rows, long last, Takeovers takeovers) {
        long recent = dynamo.nowMicros() / 1000 - TAKEOVER_MILLIS;
        List<Item> takenOver = new ArrayList<>();
        List<Item> removed = new ArrayList<>();
        for (Item row : rows) {
            boolean takeover = takeovers.isNext(items.writerOrNone(row));
            if (items.seqNr(row) < last) {
                (takeover && items.ordering(row) > recent ? takenOver : removed).add(row);
            }
        }
        // Rows below a marked one count as deleted, so the marks come first.
        return mark(takenOver)
                .thenCompose(marked -> dynamo.deleteAll(
                        settings.tableName(),
                        removed.stream().map(row -> items.key(row).attributes()).toList()))
                .thenCompose(done -> mark(
                        rows.stream().filter(row -> items.seqNr(row) >= last).toList()));
    }
}
