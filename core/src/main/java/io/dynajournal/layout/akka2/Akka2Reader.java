package io.dynajournal.layout.akka2;

import io.dynajournal.dynamo.Dynamo;
import io.dynajournal.layout.Holes;
import io.dynajournal.layout.akka2.Akka2Items.Row;
import io.dynajournal.layout.akka2.Akka2Items.Sight;
import io.dynajournal.layout.akka2.Akka2Table.WriteState;
import io.dynajournal.model.SeqRange;
import io.dynajournal.store.EventPage;
import io.dynajournal.store.LogEnd;
import io.dynajournal.store.LogHead;
import io.dynajournal.store.Pages;
import io.dynajournal.store.StoreException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads events, consistently and in order. There is no item that says where a log ends: its last item does.
 *
 * <p>A number without an item is no error here: rejected events leave one, and so does DynamoDB when it expires items in an
 * order of its own. One that has no reason is reported.
 */
final class Akka2Reader {

    private static final Logger log = LoggerFactory.getLogger(Akka2Reader.class);

    private final Dynamo dynamo;
    private final Akka2Journal settings;
    private final Akka2Table table;
    private final Holes holes;

    Akka2Reader(Dynamo dynamo, Akka2Journal settings, Akka2Table table) {
        this.dynamo = dynamo;
        this.settings = settings;
        this.table = table;
        this.holes = new Holes(settings.tableName(), settings.fatalHoles());
    }

    CompletionStage<LogHead> head(String persistenceId, long from) {
        Akka2Walk.State state = Akka2Walk.State.at(table.nowSeconds(), from);
        CompletionStage<Akka2Cursor> first =
                table.items(persistenceId, from, Long.MAX_VALUE, null).thenApply(page -> Akka2Cursor.of(page, state));
        if (from <= 1) {
            return first.thenCompose(
                    cursor -> (cursor.next() == null ? endOf(persistenceId, cursor) : end(persistenceId))
                            .thenApply(end -> new LogHead(end, cursor)));
        }
        // Behind a snapshot there may be nothing, and the end lies before it: asked for at the same time.
        return first.thenCombine(end(persistenceId), (cursor, end) -> new LogHead(end, cursor));
    }

    CompletionStage<LogEnd> end(String persistenceId) {
        return table.highest(persistenceId, Long.MAX_VALUE).thenApply(this::end);
    }

    /** The end of a log that is read as a whole. */
    private CompletionStage<LogEnd> endOf(String persistenceId, Akka2Cursor cursor) {
        boolean check = table.checksExpiry(persistenceId);
        List<Row> downwards = new ArrayList<>(cursor.rows());
        Collections.reverse(downwards);
        downwards.removeIf(row -> row.sight(cursor.state().now(), check) == Sight.NOTHING);
        return table.firstThatCounts(persistenceId, downwards, new HashMap<>()).thenApply(this::end);
    }

    private LogEnd end(Optional<Row> row) {
        long now = dynamo.nowMicros() / 1000;
        return row.map(last -> new LogEnd(last.seqNr(), last.ts(), last.writer(), now))
                .orElseGet(() -> LogEnd.empty(now));
    }

    CompletionStage<EventPage> read(String persistenceId, SeqRange range, @Nullable Akka2Cursor start) {
        if (range.isEmpty()) {
            return CompletableFuture.completedFuture(new EventPage(List.of(), 0, true, null));
        }
        CompletionStage<Akka2Cursor> cursor;
        if (start == null) {
            Akka2Walk.State state = Akka2Walk.State.at(table.nowSeconds(), range.from());
            cursor = table.items(persistenceId, range.from(), range.to(), null)
                    .thenApply(page -> Akka2Cursor.of(page, state));
        } else if (start.rows().isEmpty() && start.next() != null) {
            cursor = table.items(persistenceId, range.from(), range.to(), start.next())
                    .thenApply(page -> Akka2Cursor.of(page, start.state()));
        } else {
            cursor = CompletableFuture.completedFuture(start);
        }
        return cursor.thenCompose(at -> page(persistenceId, range, at));
    }

    private CompletionStage<EventPage> page(String persistenceId, SeqRange range, Akka2Cursor cursor) {
        Akka2Walk walk =
                new Akka2Walk(range, table.checksExpiry(persistenceId), settings.fallbackStore(), cursor.state());
        return Pages.drain(0, index -> step(persistenceId, walk, cursor.rows(), index))
                .thenCompose(walked -> finish(persistenceId, range, walk, cursor));
    }

    /** Walks until something has to be asked for. */
    private CompletionStage<@Nullable Integer> step(String persistenceId, Akka2Walk walk, List<Row> rows, int from) {
        for (int index = from; index < rows.size(); index++) {
            Row row = rows.get(index);
            int at = index;
            switch (walk.take(row)) {
                case NEXT -> {}
                case STOP -> {
                    return CompletableFuture.completedFuture(null);
                }
                case ASK -> {
                    return table.state(persistenceId, row).thenApply(state -> {
                        walk.learn(row, state);
                        return at;
                    });
                }
                case ASK_AGAIN -> {
                    return stillOpen(persistenceId, walk).thenApply(open -> at);
                }
            }
        }
        return CompletableFuture.completedFuture(null);
    }

    /** The predecessor writes behind events that it takes to be stored; we do not. */
    private CompletionStage<Void> stillOpen(String persistenceId, Akka2Walk walk) {
        Row open = walk.open();
        if (open == null) {
            return CompletableFuture.completedFuture(null);
        }
        return table.marks(persistenceId, open.first(), open.first(), null).thenAccept(page -> {
            boolean still = page.items().stream()
                    .map(Akka2Items::row)
                    .anyMatch(row -> Akka2Table.stateBy(row, open) == WriteState.OPEN);
            if (!still) {
                throw new StoreException.LogMoved("The atomic write at " + open.first() + " of " + persistenceId
                        + " was finished or replaced while it was being read; read again");
            }
            log.warn(
                    "The atomic write at {} of {} was never finished, but the log goes on behind it; it is passed over",
                    open.first(),
                    persistenceId);
            walk.passOpen();
        });
    }

    private CompletionStage<EventPage> finish(
            String persistenceId, SeqRange range, Akka2Walk walk, Akka2Cursor cursor) {
        Akka2Walk.Hole hole = walk.hole();
        if (hole != null) {
            holes.found(persistenceId, hole.before(), hole.after());
        }
        if (!walk.isFinished() && walk.covered() < range.to() && cursor.next() != null) {
            return CompletableFuture.completedFuture(new EventPage(
                    walk.events(), walk.covered(), false, new Akka2Cursor(List.of(), cursor.next(), walk.state())));
        }
        if (walk.isCut() || walk.covered() >= range.to() || range.to() == Long.MAX_VALUE) {
            return CompletableFuture.completedFuture(new EventPage(walk.events(), walk.covered(), walk.isCut(), null));
        }
        // The last numbers asked for have no item. If the log goes on behind them, they are accounted for.
        return end(persistenceId)
                .thenApply(end -> new EventPage(
                        walk.events(), end.seqNr() >= range.to() ? range.to() : walk.covered(), false, null));
    }
}
