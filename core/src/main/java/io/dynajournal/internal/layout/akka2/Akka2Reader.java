package io.dynajournal.internal.layout.akka2;

import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.layout.GapReporter;
import io.dynajournal.internal.layout.PersistenceIdMdc;
import io.dynajournal.internal.layout.akka2.Akka2Items.Row;
import io.dynajournal.internal.layout.akka2.Akka2Items.Visibility;
import io.dynajournal.internal.layout.akka2.Akka2Table.WriteState;
import io.dynajournal.internal.model.SeqRange;
import io.dynajournal.internal.store.EventPage;
import io.dynajournal.internal.store.LogEnd;
import io.dynajournal.internal.store.LogHead;
import io.dynajournal.internal.store.Pages;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads events in order, with consistent reads. The format has no item for the end of a log: its last item is the end.
 *
 * <p>A missing sequence number is no error: rejected events leave gaps, and DynamoDB removes expired items in any order. A gap
 * that neither explains is reported.
 */
final class Akka2Reader {

    private static final Logger log = LoggerFactory.getLogger(Akka2Reader.class);

    private final Dynamo dynamo;
    private final Akka2Journal settings;
    private final Akka2Table table;
    private final GapReporter gaps;

    Akka2Reader(Dynamo dynamo, Akka2Journal settings) {
        this.dynamo = dynamo;
        this.settings = settings;
        this.table = new Akka2Table(dynamo, settings);
        this.gaps = new GapReporter(settings.tableName(), settings.fatalGaps());
    }

    CompletionStage<LogHead> head(String persistenceId, long from) {
        Akka2Walk.State state = Akka2Walk.State.at(table.nowSeconds(), from);
        CompletionStage<Akka2Cursor> first =
                table.items(persistenceId, from, Long.MAX_VALUE, null).thenApply(page -> Akka2Cursor.of(page, state));
        // After a snapshot there may be no events. The end before it is read concurrently, and used only in that case:
        // an
        // event that is stored between the two reads must not move the end past what is replayed.
        CompletionStage<Optional<Row>> before = from <= 1
                ? CompletableFuture.completedFuture(Optional.empty())
                : table.highest(persistenceId, from - 1);
        return first.thenCompose(cursor -> {
            CompletionStage<LogEnd> end = cursor.next() != null
                    ? end(persistenceId)
                    : lastOf(persistenceId, cursor)
                            .thenCombine(before, (last, lower) -> end(last.isPresent() ? last : lower));
            return end.thenApply(found -> new LogHead(found, cursor));
        });
    }

    CompletionStage<LogEnd> end(String persistenceId) {
        return table.highest(persistenceId, Long.MAX_VALUE).thenApply(this::end);
    }

    /**
     * The last row of a log that fits into one page. A large write is complete if it was when the page was read: the replay
     * skips it otherwise, and the end must not be after it.
     */
    private CompletionStage<Optional<Row>> lastOf(String persistenceId, Akka2Cursor cursor) {
        boolean check = table.checksExpiry(persistenceId);
        List<Row> downwards = new ArrayList<>(cursor.rows());
        Collections.reverse(downwards);
        Map<String, WriteState> known = new HashMap<>();
        for (Row row : downwards) {
            WriteState state = Akka2Table.writeStateFrom(row, row);
            if (row.write() != null && state != null) {
                known.put(row.write(), state);
            }
        }
        downwards.removeIf(row -> row.visibility(cursor.state().now(), check) == Visibility.NONE);
        return table.firstCommitted(persistenceId, downwards, known);
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

    /** Processes rows until a request is needed. */
    private CompletionStage<@Nullable Integer> step(String persistenceId, Akka2Walk walk, List<Row> rows, int from) {
        for (int index = from; index < rows.size(); index++) {
            Row row = rows.get(index);
            int at = index;
            switch (walk.take(row)) {
                case NEXT -> {}
                case STOP -> {
                    return CompletableFuture.completedFuture(null);
                }
                case READ_WRITE_STATE -> {
                    return table.writeState(persistenceId, row).thenApply(state -> {
                        walk.setWriteState(row, state);
                        return at;
                    });
                }
                case CHECK_OPEN_WRITE -> {
                    return checkOpenWrite(persistenceId, walk).thenApply(checked -> at);
                }
            }
        }
        return CompletableFuture.completedFuture(null);
    }

    /** Events after an open write: the predecessor continues after a write that it cannot see is incomplete. */
    private CompletionStage<Void> checkOpenWrite(String persistenceId, Akka2Walk walk) {
        Row open = walk.open();
        if (open == null) {
            return CompletableFuture.completedFuture(null);
        }
        return table.itemsWithoutPayload(persistenceId, open.first(), open.first(), null)
                .thenAccept(page -> {
                    boolean stillOpen = page.items().stream()
                            .map(Akka2Items::row)
                            .anyMatch(row -> Akka2Table.writeStateFrom(row, open) == WriteState.OPEN);
                    if (!stillOpen) {
                        throw new StoreException.LogMoved("The atomic write of " + persistenceId
                                + " at sequence number " + open.first() + " in table " + settings.tableName()
                                + " was completed or replaced while it was read. Recover or query again.");
                    }
                    PersistenceIdMdc.log(
                            persistenceId,
                            () -> log.warn(
                                    "The atomic write of {} at sequence number {} in table {} was never completed, and the log"
                                            + " continues after it. Its events are skipped; they were never acknowledged.",
                                    persistenceId,
                                    open.first(),
                                    settings.tableName()));
                    walk.skipOpenWrite();
                });
    }

    private CompletionStage<EventPage> finish(
            String persistenceId, SeqRange range, Akka2Walk walk, Akka2Cursor cursor) {
        GapReporter.Gap gap = walk.gap();
        if (gap != null) {
            gaps.found(persistenceId, gap.before(), gap.after());
        }
        if (!walk.isFinished() && walk.covered() < range.to() && cursor.next() != null) {
            return CompletableFuture.completedFuture(new EventPage(
                    walk.events(), walk.covered(), false, new Akka2Cursor(List.of(), cursor.next(), walk.state())));
        }
        if (walk.isCut() || walk.covered() >= range.to() || range.to() == Long.MAX_VALUE) {
            return CompletableFuture.completedFuture(new EventPage(walk.events(), walk.covered(), walk.isCut(), null));
        }
        // The last sequence numbers of the range have no item. They count as read if the log continues after them,
        // unless
        // they belong to a large write that was completed after it was read.
        return checkOpenWrite(persistenceId, walk)
                .thenCompose(checked -> end(persistenceId))
                .thenApply(end -> new EventPage(
                        walk.events(), end.seqNr() >= range.to() ? range.to() : walk.covered(), false, null));
    }
}
