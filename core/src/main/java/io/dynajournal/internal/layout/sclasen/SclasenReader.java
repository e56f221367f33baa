package io.dynajournal.internal.layout.sclasen;

import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.dynamo.Item;
import io.dynajournal.internal.layout.GapReporter;
import io.dynajournal.internal.layout.sclasen.SclasenItems.Entry;
import io.dynajournal.internal.model.SeqRange;
import io.dynajournal.internal.store.EventPage;
import io.dynajournal.internal.store.LogEnd;
import io.dynajournal.internal.store.LogHead;
import io.dynajournal.internal.store.Pages;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Reads marks and events by their keys, with consistent reads. */
final class SclasenReader {

    /** Sequence numbers per read. */
    private static final int WINDOW = 100;

    /** The window grows up to this number where no items are found; 0.3 always reads as many. */
    private static final int MAX_WINDOW = 1000;

    private final Dynamo dynamo;
    private final SclasenJournal settings;
    private final SclasenItems items;
    private final GapReporter gaps;

    SclasenReader(Dynamo dynamo, SclasenJournal settings) {
        this.dynamo = dynamo;
        this.settings = settings;
        this.items = settings.items();
        this.gaps = new GapReporter(settings.tableName(), settings.fatalGaps());
    }

    CompletionStage<LogHead> head(String persistenceId, long from) {
        return view(persistenceId, from)
                .thenApply(view -> new LogHead(view.logEnd(dynamo.nowMicros() / 1000), view.cursor(WINDOW)));
    }

    CompletionStage<LogEnd> end(String persistenceId) {
        return view(persistenceId).thenApply(view -> view.logEnd(dynamo.nowMicros() / 1000));
    }

    /** The end of the log, and the highest deleted sequence number. */
    CompletionStage<SclasenView> view(String persistenceId) {
        return view(persistenceId, Long.MAX_VALUE);
    }

    private CompletionStage<SclasenView> view(String persistenceId, long from) {
        List<String> marks = IntStream.range(0, settings.sequenceShards())
                .mapToObj(shard -> items.highMarkKey(persistenceId, shard))
                .toList();
        return get(marks).thenCompose(found -> {
            SclasenView view = new SclasenView(
                    highest(found, SclasenItems.SEQUENCE_NR), highest(found, SclasenItems.DELETED_TO), from, WINDOW);
            return Pages.drain(
                            view.firstSeqNrs(),
                            seqNrs -> entries(persistenceId, seqNrs)
                                    .thenApply(entries -> view.add(entries) ? view.nextSeqNrs() : null))
                    .thenCompose(read -> readMissing(persistenceId, view));
        });
    }

    private CompletionStage<SclasenView> readMissing(String persistenceId, SclasenView view) {
        long[] missing = view.missing();
        return missing.length == 0
                ? CompletableFuture.completedFuture(view)
                : entries(persistenceId, LongStream.of(missing)).thenApply(found -> {
                    view.add(found);
                    return view;
                });
    }

    /** The highest deleted sequence number, from the high mark of shard 0. */
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

    /** The items of these sequence numbers, in order. */
    CompletionStage<List<Entry>> entries(String persistenceId, LongStream seqNrs) {
        return get(seqNrs.mapToObj(seqNr -> items.eventKey(persistenceId, seqNr))
                        .toList())
                .thenApply(found -> found.stream()
                        .map(items::entry)
                        .sorted(Comparator.comparingLong(Entry::seqNr))
                        .toList());
    }

    /** The channels that confirmed these events, where there are any. */
    CompletionStage<Map<Long, Set<String>>> confirmations(String persistenceId, List<Long> seqNrs) {
        return entries(persistenceId, seqNrs.stream().mapToLong(Long::longValue))
                .thenApply(found -> found.stream()
                        .filter(entry -> !entry.confirmations().isEmpty())
                        .collect(Collectors.toMap(Entry::seqNr, Entry::confirmations)));
    }

    CompletionStage<EventPage> read(String persistenceId, SeqRange range, @Nullable SclasenCursor start) {
        if (range.isEmpty()) {
            return CompletableFuture.completedFuture(new EventPage(List.of(), 0, true, null));
        }
        CompletionStage<SclasenCursor> cursor = start == null
                ? view(persistenceId, range.from()).thenApply(view -> view.cursor(WINDOW))
                : CompletableFuture.completedFuture(start);
        return cursor.thenCompose(at -> filled(persistenceId, range, at))
                .thenApply(at -> new SclasenWalk(persistenceId, range, at, gaps).page());
    }

    private CompletionStage<SclasenCursor> filled(String persistenceId, SeqRange range, SclasenCursor cursor) {
        long last = Math.min(cursor.end(), range.to());
        if (!cursor.entries().isEmpty() || cursor.readTo() >= last) {
            return CompletableFuture.completedFuture(cursor);
        }
        CompletionStage<SclasenCursor> at = isAtEmptyFront(cursor, last)
                ? afterDeletedFront(persistenceId, cursor, last)
                : CompletableFuture.completedFuture(cursor);
        return at.thenCompose(from -> nextWindow(persistenceId, from, last));
    }

    private CompletionStage<SclasenCursor> nextWindow(String persistenceId, SclasenCursor cursor, long last) {
        long readTo = Math.min(last, cursor.readTo() + cursor.window());
        return entries(persistenceId, LongStream.rangeClosed(cursor.readTo() + 1, readTo))
                .thenApply(found -> cursor.read(
                        found, readTo, found.isEmpty() ? Math.min(MAX_WINDOW, 2 * cursor.window()) : WINDOW));
    }

    /** Whether the first page had no item, so that 0.3 may have removed the first events, and the low marks are worth reading. */
    private boolean isAtEmptyFront(SclasenCursor cursor, long last) {
        return !cursor.begun()
                && cursor.window() == WINDOW
                && cursor.readTo() >= cursor.next()
                && last - cursor.readTo() > settings.sequenceShards() + WINDOW;
    }

    /**
     * Skips what 0.3 has removed for good. It hides nothing that is stored: the low marks must be those of one delete without a gap,
     * and the sequence numbers before the lowest of them, as those of the first page, must have no item. A delete beyond the end leaves
     * marks too, and the events that were written there afterwards are not deleted.
     */
    private CompletionStage<SclasenCursor> afterDeletedFront(String persistenceId, SclasenCursor cursor, long last) {
        return lowMarks(persistenceId).thenCompose(marks -> {
            if (!marks.isContiguous() || marks.highest() <= cursor.readTo() || marks.highest() > cursor.end()) {
                return CompletableFuture.completedFuture(cursor);
            }
            SclasenCursor after = cursor.read(List.of(), Math.min(last - 1, marks.highest()), WINDOW);
            long from = Math.max(cursor.readTo() + 1, marks.lowest() - WINDOW);
            return entries(persistenceId, LongStream.range(from, marks.lowest()))
                    .thenApply(found -> found.isEmpty() ? after : cursor);
        });
    }

    private CompletionStage<SclasenLowMarks> lowMarks(String persistenceId) {
        List<String> keys = IntStream.range(0, settings.sequenceShards())
                .mapToObj(shard -> items.lowMarkKey(persistenceId, shard))
                .toList();
        return get(keys)
                .thenApply(found -> new SclasenLowMarks(found.stream()
                        .map(mark -> mark.numberOr(SclasenItems.SEQUENCE_NR, 0))
                        .sorted()
                        .toList()));
    }
}
