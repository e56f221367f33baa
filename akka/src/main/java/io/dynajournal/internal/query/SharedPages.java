package io.dynajournal.internal.query;

import io.dynajournal.internal.slices.ReadRequest.IndexRead;
import io.dynajournal.internal.store.PageToken;
import io.dynajournal.internal.store.SliceRows;
import io.dynajournal.internal.store.SliceRows.RowPage;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Index pages shared by the queries of an actor system. A query that needs a page which another has just read gets the same
 * page, so ten consumers that are up to date cost as much as one. Thread-safe.
 */
final class SharedPages {

    /** Maximum number of pages without rows: more than the partitions of a full range. */
    private static final int MAX_EMPTY_PAGES = 2_048;

    /** Maximum number of pages with rows, which take memory. */
    private static final int MAX_PAGES_WITH_ROWS = 64;

    private record Key(
            String partition,
            long fromMicros,
            boolean backtracking,
            @Nullable PageToken start,
            int pageSize) {}

    private record Sent(long sentMicros, long toMicros, CompletionStage<RowPage> page) {}

    /** A page, and the read as it was sent. */
    record SharedPage(IndexRead read, RowPage page) {}

    private final SliceRows index;
    private final RequestLimiter limiter;
    private final Map<Key, Sent> emptyPages = new LinkedHashMap<>();
    private final Map<Key, Sent> pagesWithRows = new LinkedHashMap<>();

    SharedPages(SliceRows index, RequestLimiter limiter) {
        this.index = index;
        this.limiter = limiter;
    }

    CompletionStage<SharedPage> read(IndexRead read) {
        Sent sent = sharedOrSent(read);
        return sent.page()
                .thenApply(page -> new SharedPage(read.sentEarlier(sent.toMicros(), sent.sentMicros()), page));
    }

    private synchronized Sent sharedOrSent(IndexRead read) {
        Key key =
                new Key(read.partition().name(), read.fromMicros(), read.backtracking(), read.start(), read.pageSize());
        Sent empty = emptyPages.remove(key);
        Sent withRows = pagesWithRows.remove(key);
        Sent shared = withRows == null ? empty : withRows;
        if (shared != null && isFreshEnough(shared, read)) {
            keep(withRows == null ? emptyPages : pagesWithRows, key, shared);
            return shared;
        }
        Sent sent = send(read);
        keep(emptyPages, key, sent);
        sent.page().whenComplete((page, failure) -> {
            if (failure == null && !page.rows().isEmpty()) {
                foundRows(key, sent);
            }
        });
        return sent;
    }

    private synchronized void foundRows(Key key, Sent sent) {
        if (emptyPages.remove(key, sent)) {
            keep(pagesWithRows, key, sent);
        }
    }

    private void keep(Map<Key, Sent> pages, Key key, Sent sent) {
        pages.put(key, sent);
        if (pages.size() > (pages == pagesWithRows ? MAX_PAGES_WITH_ROWS : MAX_EMPTY_PAGES)) {
            pages.remove(pages.keySet().iterator().next());
        }
    }

    private static boolean isFreshEnough(Sent shared, IndexRead read) {
        return shared.sentMicros() >= read.sentMicros() - read.maxAgeMicros()
                && Math.abs(shared.toMicros() - read.toMicros()) <= read.maxAgeMicros()
                && !shared.page().toCompletableFuture().isCompletedExceptionally();
    }

    private Sent send(IndexRead read) {
        CompletionStage<RowPage> page = limiter.run(
                () -> index.read(read.partition(), read.fromMicros(), read.toMicros(), read.start(), read.pageSize()));
        return new Sent(read.sentMicros(), read.toMicros(), page);
    }
}
