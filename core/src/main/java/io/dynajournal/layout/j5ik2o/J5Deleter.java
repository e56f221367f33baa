package io.dynajournal.layout.j5ik2o;

import io.dynajournal.dynamo.Dynamo;
import io.dynajournal.dynamo.Item;
import io.dynajournal.store.Pages;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Deletes rows upwards, page by page, under the keys that they were found with. Soft deletes mark rows, as the predecessor
 * does by default. Hard deletes remove them, but the last row of a log is only marked: its number must survive, and the
 * predecessor, which looks for the highest row whether marked or not, finds it there as well.
 */
final class J5Deleter {

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
        return reader.end(persistenceId)
                .thenCompose(end -> pages(persistenceId, toSeqNr, rows -> remove(rows, end.seqNr())));
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
        J5Cursor rest = new J5Cursor(List.of(), cursor.older(), cursor.next(), cursor.state());
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

    private CompletionStage<Void> remove(List<Item> rows, long last) {
        return dynamo.deleteAll(
                        settings.tableName(),
                        rows.stream()
                                .filter(row -> items.seqNr(row) < last)
                                .map(row -> items.key(row).attributes())
                                .toList())
                .thenCompose(removed -> mark(
                        rows.stream().filter(row -> items.seqNr(row) >= last).toList()));
    }
}
