package io.dynajournal.internal.layout.commits;

import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.dynamo.Item;
import io.dynajournal.internal.dynamo.ItemPage;
import io.dynajournal.internal.layout.commits.CommitFloor.Expiring;
import io.dynajournal.internal.layout.commits.CommitFloor.Level;
import io.dynajournal.internal.layout.commits.CommitItems.Entry;
import io.dynajournal.internal.model.SeqRange;
import io.dynajournal.internal.store.EventLog;
import io.dynajournal.internal.store.EventPage;
import io.dynajournal.internal.store.LogEnd;
import io.dynajournal.internal.store.LogHead;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;

/**
 * Reads commits, consistently and in order.
 *
 * <p>A replay that starts after the first event also needs the commit before its start, because that commit may reach over
 * the start: both are requested concurrently.
 */
final class CommitReader {

    private static final byte[] NO_FRAME = {};

    /**
     * The item limit of a recovery's first page, which is requested alone; the rest of a longer log is read in concurrent
     * segments. Few logs have more commits than this after their snapshot.
     */
    private static final int FIRST_PAGE_ITEMS = 256;

    private final Dynamo dynamo;
    private final CommitsJournal settings;
    private final String table;
    private final Parts parts;
    private final CommitDeleter deleter;

    /** @param deleter completes a delete that was interrupted */
    CommitReader(Dynamo dynamo, CommitsJournal settings, CommitDeleter deleter) {
        this.dynamo = dynamo;
        this.settings = settings;
        this.table = settings.tableName();
        this.parts = new Parts(dynamo, settings.tableName(), settings.itemSize());
        this.deleter = deleter;
    }

    /** See {@link EventLog#head}. */
    CompletionStage<LogHead> head(String persistenceId, long from) {
        int limit = settings.replayParallelism() == 1
                ? settings.pageItems()
                : Math.min(settings.pageItems(), FIRST_PAGE_ITEMS);
        // The first page from 1 on begins with the floor.
        CompletionStage<@Nullable Level> floor = from > 1 ? floorOfExpiring(persistenceId) : null;
        return open(persistenceId, Math.max(1, from), Long.MAX_VALUE, limit)
                .thenCompose(cursor -> (floor == null ? CompletableFuture.completedFuture(levelOfFirst(cursor)) : floor)
                        .thenCompose(level -> head(persistenceId, cursor, level)));
    }

    /** A page must hold everything up to the end that is reported, so the end of a long log is read after it, never concurrently. */
    private CompletionStage<LogHead> head(String persistenceId, CommitCursor cursor, @Nullable Level floor) {
        boolean isLong = !cursor.ahead().isEmpty();
        return (isLong
                        ? lastBefore(persistenceId, Long.MAX_VALUE)
                        : CompletableFuture.completedFuture(last(cursor.items())))
                .thenCompose(last -> checkLaterCommits(persistenceId, last, floor)
                        .thenCompose(checked -> raiseMissingFloor(last, floor))
                        .thenCompose(raised -> endOf(persistenceId, last, floor)))
                .thenApply(end -> new LogHead(end, isLong ? readAhead(persistenceId, cursor, end) : cursor));
    }

    /** The second page of a long log is requested while the caller handles the first. */
    private CommitCursor readAhead(String persistenceId, CommitCursor cursor, LogEnd end) {
        ReadAhead ahead = cursor.ahead().withKnownSeqNr(end.seqNr());
        return cursor.with(
                settings.replayParallelism() == 1
                        ? ahead
                        : ahead.requestOne((from, to) -> page(persistenceId, from, to, settings.pageItems())));
    }

    /**
     * Time to live removes items in any order. If the commit for which the floor was raised is gone and earlier ones are left,
     * which have no expiry or a later one, these are deleted: an entity cannot recover without its middle.
     *
     * @return fails with {@link StoreException.LogMoved} after that
     */
    private CompletionStage<Void> checkLaterCommits(String persistenceId, Optional<Item> seen, @Nullable Level floor) {
        if (!lacksLaterCommits(seen, floor)) {
            return CompletableFuture.completedFuture(null);
        }
        // The floor and the last item show two moments. Read the item again, now after the floor.
        return lastBefore(persistenceId, Long.MAX_VALUE).thenCompose(last -> {
            if (!lacksLaterCommits(last, floor)) {
                return CompletableFuture.completedFuture(null);
            }
            Entry entry = entry(last.orElseThrow());
            Expiring gone = Objects.requireNonNull(floor).commit();
            if (gone.expirySeconds() > dynamo.nowMicros() / 1_000_000) {
                throw new StoreException.LogDamaged("Table " + table + ": the log of " + persistenceId
                        + " ends at sequence number " + entry.end() + ", but its floor shows a commit that ended at "
                        + gone.seqNr() + ", and neither a delete nor a time to live explains that it is missing."
                        + " Nothing was changed. Restore the missing items from a backup.");
            }
            return deleter.removeTo(persistenceId, entry.end()).thenApply(removed -> {
                throw expired(persistenceId, gone.seqNr());
            });
        });
    }

    private boolean lacksLaterCommits(Optional<Item> last, @Nullable Level floor) {
        return floor != null
                && last.map(this::entry)
                        .filter(entry -> !entry.isTombstone()
                                && entry.end() < floor.commit().seqNr()
                                && !entry.isExpired(expiryTime(entry.persistenceId())))
                        .isPresent();
    }

    private StoreException.LogMoved expired(String persistenceId, long toSeqNr) {
        return new StoreException.LogMoved("Table " + table + ": events of " + persistenceId + " up to sequence number "
                + toSeqNr + " have expired, and earlier ones that had no expiry or a"
                + " later one are deleted now. The log is intact; recover again.");
    }

    /**
     * A writer that ended between its commit and the floor has acknowledged nothing, but the commit is replayed from now on: its
     * sequence numbers must not be used again after it has expired.
     */
    private CompletionStage<Void> raiseMissingFloor(Optional<Item> last, @Nullable Level floor) {
        return last.map(this::entry)
                .filter(entry -> floor != null
                        && entry.expirySeconds() > 0
                        && !entry.isTombstone()
                        && floor.seqNr() < entry.end())
                .map(deleter::raiseFloor)
                .orElseGet(() -> CompletableFuture.completedFuture(null));
    }

    /** See {@link EventLog#end}. */
    CompletionStage<LogEnd> end(String persistenceId) {
        return floorOfExpiring(persistenceId)
                .thenCombine(
                        lastBefore(persistenceId, Long.MAX_VALUE),
                        (floor, last) -> endOf(persistenceId, last, floor)
                                .thenApply(end -> floor != null && lacksLaterCommits(last, floor)
                                        ? end.raisedTo(floor.seqNr())
                                        : end))
                .thenCompose(Function.identity());
    }

    /**
     * The end of a log. Time to live removes items in any order, so after a last item that is deleted or expired there may
     * have been others; the floor accounts for them.
     *
     * @param floor null to read it if it matters
     */
    private CompletionStage<LogEnd> endOf(String persistenceId, Optional<Item> last, @Nullable Level floor) {
        long nowMillis = dynamo.nowMicros() / 1000;
        if (last.isEmpty()) {
            return CompletableFuture.completedFuture(LogEnd.empty(nowMillis));
        }
        Entry entry = entry(last.get());
        if (!mayHaveBeenFollowed(entry)) {
            return CompletableFuture.completedFuture(entry.logEnd(nowMillis));
        }
        return (floor == null ? readFloor(persistenceId) : CompletableFuture.completedFuture(floor))
                .thenApply(level -> entry.logEnd(nowMillis).raisedTo(level.seqNr()));
    }

    /** The floor, if events of the persistence id expire; null if they do not, at no request. */
    private CompletionStage<@Nullable Level> floorOfExpiring(String persistenceId) {
        return settings.timeToLive().of(persistenceId).events() == null
                ? CompletableFuture.completedFuture(null)
                : readFloor(persistenceId).thenApply(level -> level);
    }

    private CompletionStage<Level> readFloor(String persistenceId) {
        return lastBefore(persistenceId, 1)
                .thenApply(item -> item.map(Level::of).orElse(Level.NONE));
    }

    private Level levelOfFirst(CommitCursor cursor) {
        return cursor.items().stream()
                .limit(1)
                .filter(item -> entry(item).isFloor())
                .map(Level::of)
                .findFirst()
                .orElse(Level.NONE);
    }

    /** See {@link EventLog#read}. */
    CompletionStage<EventPage> read(String persistenceId, SeqRange range, @Nullable CommitCursor start) {
        return range.isEmpty()
                ? CompletableFuture.completedFuture(new EventPage(List.of(), 0, true, null))
                : cursor(persistenceId, range, start).thenCompose(cursor -> page(persistenceId, range, cursor));
    }

    private CompletionStage<CommitCursor> cursor(String persistenceId, SeqRange range, @Nullable CommitCursor start) {
        if (start == null) {
            return open(persistenceId, range.from(), range.to(), settings.pageItems());
        }
        return start.items().isEmpty() && !start.ahead().isEmpty()
                ? nextPage(persistenceId, range, start)
                : CompletableFuture.completedFuture(start);
    }

    /**
     * The page after an empty cursor. Segments are requested concurrently only after an event was delivered: from then on
     * any delete in one of them fails the replay, so the replay never mixes the log of two moments.
     */
    private CompletionStage<CommitCursor> nextPage(String persistenceId, SeqRange range, CommitCursor cursor) {
        CommitWalk.State state = cursor.state();
        int maxInFlight = state.delivered() > 0 ? settings.replayParallelism() : 1;
        ReadAhead ahead = cursor.ahead()
                .request(
                        range.to(),
                        state.lastWanted(range),
                        maxInFlight,
                        (from, to) -> page(persistenceId, from, to, settings.pageItems()));
        return ahead.first().thenApply(page -> new CommitCursor(page.items(), ahead.afterFirst(page), state));
    }

    private CompletionStage<EventPage> page(String persistenceId, SeqRange range, CommitCursor cursor) {
        try {
            return walk(persistenceId, range, cursor)
                    .thenCompose(page -> withFloor(persistenceId, range, cursor, page));
        } catch (StoreException.LogMoved | StoreException.LogDamaged problem) {
            return explain(persistenceId, range, cursor, problem);
        }
    }

    /**
     * Whether later commits may have followed this last entry, and expired: not as long as they would live by themselves, although
     * its own expiry may be later, set by a clean-up. All writers must agree on this, so it counts as expired a little before.
     */
    private boolean mayHaveBeenFollowed(Entry last) {
        long now = dynamo.nowMicros() / 1_000_000;
        if (last.isFloor() || last.isTombstone() || last.expirySeconds() == 0) {
            return last.isTombstone() && !last.isFloor();
        }
        Duration life = settings.timeToLive().of(last.persistenceId()).events();
        return life == null
                ? last.isExpired(now)
                : Math.min(last.expirySeconds(), last.timestampMicros() / 1_000_000 + life.toSeconds())
                        <= now + CommitsJournal.expiryMargin(life).toSeconds();
    }

    /** A log may end before the range because its last commits have expired: then the floor accounts for them. */
    private CompletionStage<EventPage> withFloor(
            String persistenceId, SeqRange range, CommitCursor cursor, EventPage page) {
        boolean endsBefore = page.next() == null && !page.cut() && page.coveredTo() < range.to();
        if (!endsBefore || range.to() == Long.MAX_VALUE || cursor.state().isFloorKnown()) {
            return CompletableFuture.completedFuture(page);
        }
        // The last page may be empty, because time to live has removed its commits.
        return (cursor.items().isEmpty()
                        ? lastBefore(persistenceId, Long.MAX_VALUE)
                        : CompletableFuture.completedFuture(last(cursor.items())))
                .thenCompose(last -> last.map(this::entry)
                                .filter(entry -> entry.isFloor() || mayHaveBeenFollowed(entry))
                                .isPresent()
                        ? readFloor(persistenceId)
                                .thenApply(floor -> new EventPage(
                                        page.events(),
                                        Math.max(page.coveredTo(), Math.min(floor.seqNr(), range.to())),
                                        false,
                                        null))
                        : CompletableFuture.completedFuture(page));
    }

    private CompletionStage<EventPage> walk(String persistenceId, SeqRange range, CommitCursor cursor) {
        List<Entry> entries = cursor.items().stream().map(this::entry).toList();
        CommitWalk walk = new CommitWalk(table, persistenceId, range, cursor.state(), entries);
        for (int i = 0; i < entries.size() && !walk.isFinished(); i++) {
            Entry entry = entries.get(i);
            walk.check(entry);
            if (!walk.wants(entry)) {
                walk.accept(entry, NO_FRAME);
            } else if (!entry.hasParts()) {
                walk.accept(entry, entry.payload());
            } else if (walk.events().isEmpty()) {
                int following = i + 1;
                return withParts(entry).thenApply(frame -> {
                    walk.accept(entry, frame);
                    return page(walk, rest(cursor, following, walk));
                });
            } else {
                // A commit in parts is a page of its own, so that at most one of them is in memory.
                return CompletableFuture.completedFuture(page(walk, rest(cursor, i, walk)));
            }
        }
        return CompletableFuture.completedFuture(page(walk, rest(cursor, entries.size(), walk)));
    }

    private static EventPage page(CommitWalk walk, CommitCursor rest) {
        boolean atEnd =
                walk.isFinished() || (rest.items().isEmpty() && rest.ahead().isEmpty());
        return new EventPage(walk.events(), walk.coveredTo(atEnd && !walk.isCut()), walk.isCut(), atEnd ? null : rest);
    }

    private static CommitCursor rest(CommitCursor cursor, int from, CommitWalk walk) {
        return new CommitCursor(cursor.items().subList(from, cursor.items().size()), cursor.ahead(), walk.state());
    }

    /** Parts are deleted after their commit, so parts that are missing while the commit is in place are lost. */
    private CompletionStage<byte[]> withParts(Entry entry) {
        return parts.read(entry.item()).thenCompose(frame -> {
            if (frame != null) {
                return CompletableFuture.completedFuture(frame);
            }
            return page(entry.persistenceId(), entry.key(), entry.key(), 1).thenApply(again -> {
                if (again.items().stream().map(this::entry).anyMatch(now -> now.isOwn(entry) && !now.isTombstone())) {
                    throw Parts.missing(entry.item());
                }
                throw new StoreException.LogMoved("Table " + table + ": the commit of " + entry.persistenceId()
                        + " at sequence number " + entry.key()
                        + " was deleted during the replay. The log is intact; recover again.");
            });
        });
    }

    /**
     * Finds out why a page does not follow the one before. Commits that have expired end the log before them. Or a delete was
     * interrupted after it had set its mark further up: events that it should have deleted are still there, the next replay
     * would fail as well, so the delete is completed first. Or the floor shows that commits have expired. Otherwise the problem
     * is real.
     */
    private CompletionStage<EventPage> explain(
            String persistenceId, SeqRange range, CommitCursor cursor, StoreException problem) {
        boolean moved = problem instanceof StoreException.LogMoved;
        long boundary = deleteBoundary(cursor);
        long expired = moved ? expiredTo(persistenceId, cursor, boundary) : 0;
        if (expired > 0) {
            return deleter.removeTo(persistenceId, expired).thenApply(removed -> {
                throw expired(persistenceId, expired);
            });
        }
        List<Item> items = cursor.items();
        // A delete in this page moved the log if events of earlier pages were delivered; otherwise only one after it
        // can.
        long from = !moved
                ? items.get(items.size() - 1).number(ItemKey.SEQ) + 1
                : Math.max(items.get(0).number(ItemKey.SEQ), cursor.state().delivered() > 0 ? 0 : boundary + 1);
        return deleter.complete(persistenceId, from).thenCompose(completed -> {
            if (completed) {
                throw new StoreException.LogMoved("Table " + table + ": a delete of events of " + persistenceId
                        + " had been interrupted and is completed now. The log is intact; recover again.");
            }
            if (moved) {
                throw gap(persistenceId, cursor, boundary)
                        .<StoreException>map(found -> found)
                        .orElse(problem);
            }
            if (cursor.state().isFloorKnown()) {
                throw problem;
            }
            return readFloor(persistenceId)
                    .thenCompose(floor -> page(
                            persistenceId,
                            range,
                            new CommitCursor(
                                    items, cursor.ahead(), cursor.state().withFloor(floor.seqNr()))));
        });
    }

    /** The key of the highest entry of a page that was deleted, or before which events were; 0 if there is none. */
    private long deleteBoundary(CommitCursor cursor) {
        return cursor.items().stream()
                .map(this::entry)
                .filter(entry -> !entry.isFloor() && entry.isDeleteBoundary(0))
                .mapToLong(Entry::key)
                .max()
                .orElse(0);
    }

    /**
     * The last sequence number of a page that has expired, or was removed after its expiry; 0 if none has. Events before it that
     * do not expire, from before a time to live was set, are deleted with it: an entity cannot recover without its middle. A
     * missing commit counts only if its time to live is over: the commit after it has its time.
     */
    private long expiredTo(String persistenceId, CommitCursor cursor, long boundary) {
        Duration life = settings.timeToLive().of(persistenceId).events();
        long now = cursor.state().nowSeconds();
        long expired = 0;
        long next = cursor.state().expectedKey();
        for (Item item : cursor.items()) {
            Entry entry = entry(item);
            if (entry.isExpired(now) && !entry.isTombstone()) {
                expired = Math.max(expired, entry.end());
            }
            boolean follows = next <= 0 || entry.key() <= Math.max(next, boundary);
            long missingSince = item.numberOr(CommitItems.PREVIOUS_TIMESTAMP, Long.MAX_VALUE) / 1_000_000;
            if (!follows && life != null && missingSince <= now - life.toSeconds()) {
                expired = Math.max(expired, entry.key() - 1);
            }
            next = entry.isFloor() ? 1 : entry.end() + 1;
        }
        return expired;
    }

    /** The first gap of a page after its last delete. */
    private Optional<StoreException.LogDamaged> gap(String persistenceId, CommitCursor cursor, long boundary) {
        long next = cursor.state().expectedKey();
        for (Item item : cursor.items()) {
            Entry entry = entry(item);
            if (next > 1 && entry.key() > Math.max(next, boundary)) {
                return Optional.of(new StoreException.LogDamaged("Table " + table + ": the log of " + persistenceId
                        + " has a gap: sequence numbers " + next + " to " + (entry.key() - 1)
                        + " are missing, and neither a delete nor a time to live explains it. Nothing was changed. Restore the"
                        + " missing items from a backup; or recover from a snapshot at " + entry.key()
                        + " or later, which needs no event before it."));
            }
            next = entry.isFloor() ? 1 : entry.end() + 1;
        }
        return Optional.empty();
    }

    /** The first page of a replay, with the commit before it if there is one. */
    private CompletionStage<CommitCursor> open(String persistenceId, long from, long to, int limit) {
        if (from <= 1) {
            // From key 0, where the floor is.
            return page(persistenceId, 0, to, limit)
                    .thenApply(page -> new CommitCursor(
                            page.items(),
                            ReadAhead.after(page, to, settings.pageItems()),
                            CommitWalk.State.atStart(expiryTime(persistenceId))));
        }
        CompletionStage<ItemPage> forward = page(persistenceId, from, to, limit);
        return forward.thenCombine(lastBefore(persistenceId, from), PageAndPredecessor::new)
                .thenCompose(read -> isContiguous(read)
                        ? CompletableFuture.completedFuture(read)
                        // The two queries see two moments, and a commit may have been stored in between. Read the
                        // predecessor again, now after the page.
                        : lastBefore(persistenceId, from)
                                .thenApply(again -> new PageAndPredecessor(read.page(), again)))
                .thenApply(read -> read.cursor(to, settings.pageItems(), expiryTime(persistenceId)));
    }

    /** Called after the first answer: until then, this machine's clock is not corrected by DynamoDB's. */
    private long expiryTime(String persistenceId) {
        return settings.expiryTime(persistenceId, dynamo.nowMicros());
    }

    private boolean isContiguous(PageAndPredecessor read) {
        if (read.page().items().isEmpty()) {
            return true;
        }
        Entry first = entry(read.page().items().get(0));
        return read.predecessor()
                .filter(item -> entry(item).end() + 1 == first.key())
                .isPresent();
    }

    private record PageAndPredecessor(ItemPage page, Optional<Item> predecessor) {

        CommitCursor cursor(long to, int maxPageItems, long nowSeconds) {
            ReadAhead ahead = ReadAhead.after(page, to, maxPageItems);
            if (predecessor.isEmpty()) {
                return new CommitCursor(page.items(), ahead, CommitWalk.State.withoutPredecessor(nowSeconds));
            }
            List<Item> items = new ArrayList<>(page.items().size() + 1);
            items.add(predecessor.get());
            items.addAll(page.items());
            return new CommitCursor(items, ahead, CommitWalk.State.inside(nowSeconds));
        }
    }

    private CompletionStage<ItemPage> page(String persistenceId, long from, long to, int limit) {
        return dynamo.query(QueryRequest.builder()
                        .tableName(table)
                        .consistentRead(true)
                        .keyConditionExpression("pid = :pid AND seq BETWEEN :from AND :to")
                        .expressionAttributeValues(Map.of(
                                ":pid", AttributeValue.fromS(persistenceId),
                                ":from", ItemKey.number(from),
                                ":to", ItemKey.number(to)))
                        .limit(limit))
                .thenApply(page -> {
                    page.items().forEach(item -> ItemKey.named(table, item));
                    return page;
                });
    }

    private CompletionStage<Optional<Item>> lastBefore(String persistenceId, long key) {
        return dynamo.query(QueryRequest.builder()
                        .tableName(table)
                        .consistentRead(true)
                        .scanIndexForward(false)
                        .keyConditionExpression("pid = :pid AND seq < :number")
                        .expressionAttributeValues(Map.of(
                                ":pid", AttributeValue.fromS(persistenceId),
                                ":number", ItemKey.number(key)))
                        .limit(1))
                .thenApply(page -> last(page.items()));
    }

    private Entry entry(Item item) {
        return CommitItems.entry(table, item);
    }

    private static Optional<Item> last(List<Item> items) {
        return items.isEmpty() ? Optional.empty() : Optional.of(items.get(items.size() - 1));
    }
}
