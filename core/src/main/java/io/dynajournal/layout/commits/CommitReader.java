package io.dynajournal.layout.commits;

import io.dynajournal.dynamo.Dynamo;
import io.dynajournal.dynamo.Item;
import io.dynajournal.dynamo.ItemPage;
import io.dynajournal.layout.commits.CommitItems.Entry;
import io.dynajournal.model.SeqRange;
import io.dynajournal.store.EventPage;
import io.dynajournal.store.LogEnd;
import io.dynajournal.store.LogHead;
import io.dynajournal.store.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;

/**
 * Reads commits, consistently and in order. A replay that starts behind the first number also needs the commit before its
 * start, which may reach over it: both are asked for at the same time.
 */
final class CommitReader {

    private static final byte[] NO_PAYLOAD = {};

    /**
     * Of a first page, which comes alone: where it ends early, the rest comes several stretches at a time. Most logs are no longer
     * behind their snapshot, and come in one request.
     */
    private static final int FIRST_ITEMS = 256;

    private final Dynamo dynamo;
    private final CommitsJournal settings;
    private final Parts parts;
    private final CommitDeleter deleter;

    CommitReader(Dynamo dynamo, CommitsJournal settings, Parts parts, CommitDeleter deleter) {
        this.dynamo = dynamo;
        this.settings = settings;
        this.parts = parts;
        this.deleter = deleter;
    }

    CompletionStage<LogHead> head(String persistenceId, long from) {
        return open(persistenceId, from, Long.MAX_VALUE, firstItems()).thenCompose(cursor -> {
            if (!cursor.ahead().isEmpty()) {
                return longHead(persistenceId, cursor);
            }
            List<Item> items = cursor.items();
            boolean floorIsThere = from <= 1 && !items.isEmpty();
            CompletionStage<Long> floor =
                    floorIsThere ? CompletableFuture.completedFuture(floorOf(Optional.of(items.get(0)))) : null;
            return endOf(persistenceId, last(items), floor).thenApply(end -> new LogHead(end, cursor));
        });
    }

    private int firstItems() {
        return settings.replayParallelism() == 1 ? settings.pageItems() : Math.min(settings.pageItems(), FIRST_ITEMS);
    }

    /** Of a log longer than a page: its next page is on the way while the first one is looked at. */
    private CompletionStage<LogHead> longHead(String persistenceId, CommitCursor cursor) {
        // Behind the end, never together with it: a page must hold everything up to the end that was seen.
        return end(persistenceId).thenApply(end -> {
            Ahead ahead = cursor.ahead().known(end.seqNr());
            return new LogHead(
                    end,
                    cursor.with(
                            settings.replayParallelism() == 1
                                    ? ahead
                                    : ahead.oneMore(
                                            (from, to) -> from(persistenceId, from, to, settings.pageItems()))));
        });
    }

    CompletionStage<LogEnd> end(String persistenceId) {
        return before(persistenceId, Long.MAX_VALUE).thenCompose(last -> endOf(persistenceId, last, null));
    }

    /**
     * Where the log ends. Time to live removes in any order, so behind a last item that is no living commit later ones may
     * be gone; the floor knows of them.
     *
     * @param known the floor, or null to ask for it if it matters
     */
    private CompletionStage<LogEnd> endOf(
            String persistenceId, Optional<Item> last, @Nullable CompletionStage<Long> known) {
        long now = dynamo.nowMicros() / 1000;
        if (last.isEmpty()) {
            return CompletableFuture.completedFuture(LogEnd.empty(now));
        }
        Entry entry = CommitItems.entry(last.get());
        boolean lives = !entry.isStub() && !entry.isExpired(now / 1000);
        if (lives || entry.isFloor()) {
            return CompletableFuture.completedFuture(entry.logEnd(now));
        }
        return (known == null ? floor(persistenceId) : known)
                .thenApply(floor -> new LogEnd(
                        Math.max(entry.end(), floor), entry.ts(), entry.writer().toString(), now));
    }

    private static long floorOf(Optional<Item> item) {
        return item.map(CommitItems::entry)
                .filter(Entry::isFloor)
                .map(Entry::end)
                .orElse(0L);
    }

    /** Up to where commits may have expired and gone; 0 without a floor. */
    private CompletionStage<Long> floor(String persistenceId) {
        return before(persistenceId, 1).thenApply(CommitReader::floorOf);
    }

    CompletionStage<EventPage> read(String persistenceId, SeqRange range, @Nullable CommitCursor start) {
        if (range.isEmpty()) {
            return CompletableFuture.completedFuture(new EventPage(List.of(), 0, true, null));
        }
        CompletionStage<CommitCursor> cursor;
        if (start == null) {
            cursor = open(persistenceId, range.from(), range.to(), settings.pageItems());
        } else if (start.items().isEmpty() && !start.ahead().isEmpty()) {
            cursor = next(persistenceId, range, start);
        } else {
            cursor = CompletableFuture.completedFuture(start);
        }
        return cursor.thenCompose(at -> page(persistenceId, range, at));
    }

    /**
     * The page behind an empty cursor. Several are asked for at once only behind a living event: from there on, whatever a
     * delete has done to one of them fails the replay, so pages of different moments are never mixed.
     */
    private CompletionStage<CommitCursor> next(String persistenceId, SeqRange range, CommitCursor at) {
        CommitWalk.State state = at.state();
        int atOnce = state.delivered() > 0 ? settings.replayParallelism() : 1;
        Ahead ahead = at.ahead()
                .asked(
                        range.to(),
                        state.wanted(range),
                        atOnce,
                        (from, to) -> from(persistenceId, from, to, settings.pageItems()));
        return ahead.first().thenApply(page -> new CommitCursor(page.items(), ahead.behindFirst(page), state));
    }

    private CompletionStage<EventPage> page(String persistenceId, SeqRange range, CommitCursor cursor) {
        try {
            return walked(persistenceId, range, cursor);
        } catch (StoreException.LogMoved | StoreException.LogDamaged problem) {
            return explained(persistenceId, range, cursor, problem);
        }
    }

    private CompletionStage<EventPage> walked(String persistenceId, SeqRange range, CommitCursor cursor) {
        List<Entry> entries = cursor.items().stream().map(CommitItems::entry).toList();
        CommitWalk walk = new CommitWalk(persistenceId, range, cursor.state(), entries);
        for (int i = 0; i < entries.size() && !walk.isFinished(); i++) {
            Entry entry = entries.get(i);
            walk.check(entry);
            if (!walk.wants(entry)) {
                walk.accept(entry, NO_PAYLOAD);
            } else if (!entry.hasParts()) {
                walk.accept(entry, entry.payload());
            } else if (!walk.events().isEmpty()) {
                // A commit in parts is a page of its own, so that no more than one of them is in memory.
                return CompletableFuture.completedFuture(page(walk, rest(cursor, i, walk)));
            } else {
                return withParts(walk, entry, cursor, i + 1);
            }
        }
        return CompletableFuture.completedFuture(page(walk, rest(cursor, entries.size(), walk)));
    }

    /**
     * A page that does not fit to what was read before is explained by what lies outside of it. A delete that was cut short
     * has set its mark further up, with events still standing below: reading on would mix deleted with living events, and
     * so would the next attempt, so the delete is finished first. Or commits have expired, which the floor tells.
     */
    private CompletionStage<EventPage> explained(
            String persistenceId, SeqRange range, CommitCursor cursor, StoreException problem) {
        // Marks inside this page are behind a hole, or they are what has moved.
        int size = cursor.items().size();
        long from = problem instanceof StoreException.LogMoved
                ? cursor.items().get(0).number(CommitItems.SEQ)
                : cursor.items().get(size - 1).number(CommitItems.SEQ) + 1;
        return deleter.finish(persistenceId, from).thenCompose(finished -> {
            if (finished) {
                throw new StoreException.LogMoved("A delete of events of " + persistenceId
                        + " had been cut short; it is finished now, recover again");
            }
            if (problem instanceof StoreException.LogMoved || cursor.state().knowsFloor()) {
                throw problem;
            }
            return floor(persistenceId)
                    .thenCompose(number -> page(
                            persistenceId,
                            range,
                            new CommitCursor(
                                    cursor.items(),
                                    cursor.ahead(),
                                    cursor.state().withFloor(number))));
        });
    }

    private CompletionStage<EventPage> withParts(CommitWalk walk, Entry entry, CommitCursor cursor, int following) {
        return parts.read(entry.item()).thenApply(payload -> {
            if (payload == null) {
                throw new StoreException.LogMoved("The parts of " + entry.item().text(CommitItems.PID) + " at "
                        + entry.seq() + " are gone: they were deleted while they were being replayed; recover again");
            }
            walk.accept(entry, payload);
            return page(walk, rest(cursor, following, walk));
        });
    }

    private static EventPage page(CommitWalk walk, CommitCursor rest) {
        boolean end =
                walk.isFinished() || (rest.items().isEmpty() && rest.ahead().isEmpty());
        return new EventPage(walk.events(), walk.coveredTo(end && !walk.isCut()), walk.isCut(), end ? null : rest);
    }

    private static CommitCursor rest(CommitCursor cursor, int from, CommitWalk walk) {
        return new CommitCursor(cursor.items().subList(from, cursor.items().size()), cursor.ahead(), walk.state());
    }

    /** The first page, with the commit before it where there may be one. */
    private CompletionStage<CommitCursor> open(String persistenceId, long from, long to, int items) {
        long now = dynamo.nowMicros() / 1_000_000;
        if (from <= 1) {
            // With 0, because the floor of a log whose commits expire stands there.
            return from(persistenceId, 0, to, items)
                    .thenApply(page -> new CommitCursor(
                            page.items(), Ahead.behind(page, to, settings.pageItems()), CommitWalk.State.atStart(now)));
        }
        CompletionStage<ItemPage> forward = from(persistenceId, from, to, items);
        return forward.thenCombine(before(persistenceId, from), Joint::new)
                .thenCompose(joint -> joint.isTight()
                        ? CompletableFuture.completedFuture(joint)
                        // The two queries are two moments: a commit may have landed between them. Once more, later.
                        : before(persistenceId, from).thenApply(again -> new Joint(joint.page(), again)))
                .thenApply(joint -> joint.cursor(to, settings.pageItems(), now));
    }

    /** A page and the item before it. */
    private record Joint(ItemPage page, Optional<Item> before) {

        boolean isTight() {
            if (page.items().isEmpty()) {
                return true;
            }
            Entry first = CommitItems.entry(page.items().get(0));
            return before.isPresent() && CommitItems.entry(before.get()).end() + 1 == first.seq();
        }

        CommitCursor cursor(long to, int pageItems, long now) {
            Ahead ahead = Ahead.behind(page, to, pageItems);
            if (before.isEmpty()) {
                return new CommitCursor(page.items(), ahead, CommitWalk.State.behindNothing(now));
            }
            List<Item> items = new ArrayList<>(page.items().size() + 1);
            items.add(before.get());
            items.addAll(page.items());
            return new CommitCursor(items, ahead, CommitWalk.State.inside(now));
        }
    }

    private CompletionStage<ItemPage> from(String persistenceId, long from, long to, int items) {
        return dynamo.query(QueryRequest.builder()
                .tableName(settings.tableName())
                .consistentRead(true)
                .keyConditionExpression("pid = :pid AND seq BETWEEN :from AND :to")
                .expressionAttributeValues(Map.of(
                        ":pid", AttributeValue.fromS(persistenceId),
                        ":from", AttributeValue.fromN(Long.toString(from)),
                        ":to", AttributeValue.fromN(Long.toString(to))))
                .limit(items));
    }

    private CompletionStage<Optional<Item>> before(String persistenceId, long number) {
        return dynamo.query(QueryRequest.builder()
                        .tableName(settings.tableName())
                        .consistentRead(true)
                        .scanIndexForward(false)
                        .keyConditionExpression("pid = :pid AND seq < :number")
                        .expressionAttributeValues(Map.of(
                                ":pid", AttributeValue.fromS(persistenceId),
                                ":number", AttributeValue.fromN(Long.toString(number))))
                        .limit(1))
                .thenApply(page -> last(page.items()));
    }

    private static Optional<Item> last(List<Item> items) {
        return items.isEmpty() ? Optional.empty() : Optional.of(items.get(items.size() - 1));
    }
}
