package io.dynajournal.layout.sclasen;

import io.dynajournal.dynamo.Dynamo;
import io.dynajournal.dynamo.Item;
import io.dynajournal.layout.Holes;
import io.dynajournal.layout.sclasen.SclasenItems.Entry;
import io.dynajournal.model.SeqRange;
import io.dynajournal.store.EventPage;
import io.dynajournal.store.LogEnd;
import io.dynajournal.store.LogHead;
import io.dynajournal.store.Pages;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Reads marks and events by their keys, consistently. */
final class SclasenReader {

    /** How many numbers are read at once. */
    private static final int WINDOW = 100;

    /** Where nothing stands, more at once: what 0.3 always reads. */
    private static final int WIDEST = 1000;

    private final Dynamo dynamo;
    private final SclasenJournal settings;
    private final SclasenItems items;
    private final Holes holes;

    SclasenReader(Dynamo dynamo, SclasenJournal settings) {
        this.dynamo = dynamo;
        this.settings = settings;
        this.items = settings.items();
        this.holes = new Holes(settings.tableName(), settings.fatalHoles());
    }

    CompletionStage<LogHead> head(String persistenceId, long from) {
        return look(persistenceId, from)
                .thenApply(view -> new LogHead(view.logEnd(dynamo.nowMicros() / 1000), view.cursor(WINDOW)));
    }

    CompletionStage<LogEnd> end(String persistenceId) {
        return look(persistenceId).thenApply(view -> view.logEnd(dynamo.nowMicros() / 1000));
    }

    /** Where the log ends, and up to where it is deleted. */
    CompletionStage<SclasenView> look(String persistenceId) {
        return look(persistenceId, Long.MAX_VALUE);
    }

    private CompletionStage<SclasenView> look(String persistenceId, long from) {
        List<String> marks = IntStream.range(0, settings.sequenceShards())
                .mapToObj(shard -> items.highMarkKey(persistenceId, shard))
                .toList();
        return get(marks).thenCompose(found -> {
            SclasenView view = new SclasenView(
                    highest(found, SclasenItems.SEQUENCE_NR), highest(found, SclasenItems.DELETED_TO), from, WINDOW);
            return Pages.drain(
                            view.firstNumbers(),
                            numbers -> entries(persistenceId, numbers)
                                    .thenApply(entries -> view.add(entries) ? view.nextNumbers() : null))
                    .thenApply(looked -> view);
        });
    }

    /** Up to which number an id is deleted, from the one mark that tells. */
    CompletionStage<Long> deletedTo(String persistenceId) {
        return get(List.of(items.highMarkKey(persistenceId, 0)))
                .thenApply(found -> highest(found, SclasenItems.DELETED_TO));
    }

    private static long highest(List<Item> marks, String attribute) {
        return marks.stream().mapToLong(mark -> mark.numberOr(attribute, 0)).reduce(0, Math::max);
    }

    private CompletionStage<List<Item>> get(List<String> keys) {
        List<Map<String, AttributeValue>> all = keys.stream()
                .map(key -> Map.of(SclasenItems.KEY, AttributeValue.fromS(key)))
                .toList();
        return dynamo.getAll(settings.tableName(), all);
    }

    /** What stands under these numbers, in order. */
    CompletionStage<List<Entry>> entries(String persistenceId, LongStream numbers) {
        return get(numbers.mapToObj(number -> items.eventKey(persistenceId, number))
                        .toList())
                .thenApply(found -> found.stream()
                        .map(items::entry)
                        .sorted(Comparator.comparingLong(Entry::seqNr))
                        .toList());
    }

    CompletionStage<EventPage> read(String persistenceId, SeqRange range, @Nullable SclasenCursor start) {
        if (range.isEmpty()) {
            return CompletableFuture.completedFuture(new EventPage(List.of(), 0, true, null));
        }
        CompletionStage<SclasenCursor> cursor = start == null
                ? look(persistenceId, range.from()).thenApply(view -> view.cursor(WINDOW))
                : CompletableFuture.completedFuture(start);
        return cursor.thenCompose(at -> filled(persistenceId, range, at))
                .thenApply(at -> new SclasenWalk(persistenceId, range, at, holes).page());
    }

    private CompletionStage<SclasenCursor> filled(String persistenceId, SeqRange range, SclasenCursor cursor) {
        long last = Math.min(cursor.end(), range.to());
        if (!cursor.entries().isEmpty() || cursor.readTo() >= last) {
            return CompletableFuture.completedFuture(cursor);
        }
        long readTo = Math.min(last, cursor.readTo() + cursor.window());
        return entries(persistenceId, LongStream.rangeClosed(cursor.readTo() + 1, readTo))
                .thenApply(found ->
                        cursor.read(found, readTo, found.isEmpty() ? Math.min(WIDEST, 2 * cursor.window()) : WINDOW));
    }
}
