package io.dynajournal.internal.query;

import akka.NotUsed;
import akka.japi.Pair;
import akka.japi.pf.PFBuilder;
import akka.stream.Graph;
import akka.stream.SourceShape;
import akka.stream.javadsl.Source;
import io.dynajournal.internal.model.Slices;
import io.dynajournal.internal.slices.ReaderSettings;
import io.dynajournal.internal.store.PageToken;
import io.dynajournal.internal.store.Pages;
import io.dynajournal.internal.store.PersistenceIds;
import io.dynajournal.internal.store.PersistenceIds.IdPage;
import io.dynajournal.internal.store.Stages;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Streams of persistence ids, page by page. */
public final class IdSource {

    /** The next page of a stream. */
    private record Position(@Nullable PageToken token, boolean end) {
        static final Position START = new Position(null, false);
    }

    private IdSource() {}

    /** @param entityType null for all */
    static Source<String, NotUsed> current(
            PersistenceIds ids, RequestLimiter limiter, @Nullable String entityType, @Nullable String afterId) {
        CompletionStage<@Nullable PageToken> start = afterId == null
                ? CompletableFuture.completedFuture(null)
                : limiter.run(() -> byTime(ids).after(afterId));
        return Source.completionStage(start.thenApply(token -> new Position(token, afterId != null && token == null)))
                .flatMapConcat(position -> pages(position, token -> limiter.run(() -> ids.read(token))))
                .mapConcat(page -> page.ids())
                .filter(id -> isOf(entityType, id));
    }

    /**
     * All pages from a token on.
     *
     * @param entityType null for all
     */
    public static Source<String, NotUsed> pages(
            @Nullable PageToken start,
            @Nullable String entityType,
            Function<@Nullable PageToken, CompletionStage<IdPage>> read) {
        return pages(new Position(start, false), read)
                .mapConcat(page -> page.ids())
                .filter(id -> isOf(entityType, id));
    }

    private static PersistenceIds.ByTime byTime(PersistenceIds ids) {
        return ids.byTime()
                .orElseThrow(() -> new UnsupportedOperationException(
                        "This layout does not keep the order in which persistence ids were first written, so it can neither list"
                                + " them after a given one nor list new ones live. The layout commits can."));
    }

    private static boolean isOf(@Nullable String entityType, String persistenceId) {
        return entityType == null || entityType.equals(Slices.entityType(persistenceId));
    }

    private static Source<IdPage, NotUsed> pages(
            Position start, Function<@Nullable PageToken, CompletionStage<IdPage>> read) {
        return Source.unfoldAsync(
                start,
                position -> position.end()
                        ? CompletableFuture.completedFuture(Optional.<Pair<Position, IdPage>>empty())
                        : read.apply(position.token())
                                .thenApply(page -> Optional.of(
                                        Pair.create(new Position(page.next(), page.next() == null), page))));
    }

    /** The ids older than the backtracking window first, then the newer ones with every poll: an id may become visible late. */
    static Source<String, NotUsed> live(
            PersistenceIds ids, RequestLimiter limiter, ReaderSettings settings, QueryProgress progress) {
        return Source.lazySource(() -> {
                    Live live = new Live(ids, limiter, settings, progress);
                    return live.older().concat(live.newer());
                })
                .mapMaterializedValue(done -> NotUsed.getInstance());
    }

    /** One run of a live query. After a transient failure it retries. */
    private static final class Live {
        private final PersistenceIds ids;
        private final RequestLimiter limiter;
        private final QueryProgress progress;
        private final Duration refresh;
        private final long windowMicros;
        private final long startMicros;
        private volatile Position olderPosition = Position.START;
        // Used on the stream's thread: where the next poll starts, and which ids inside the window were delivered.
        private long newerFromMicros;
        private final Set<String> delivered = new HashSet<>();

        private record Polled(long sentMicros, List<String> ids) {}

        Live(PersistenceIds ids, RequestLimiter limiter, ReaderSettings settings, QueryProgress progress) {
            this.ids = ids;
            this.limiter = limiter;
            this.progress = progress;
            this.refresh = settings.schedule().refresh();
            this.windowMicros = settings.backtrackingWindow().toNanos() / 1000;
            this.startMicros = nowMicros() - windowMicros;
            this.newerFromMicros = startMicros + 1;
        }

        Source<String, NotUsed> older() {
            return olderPages()
                    .recoverWithRetries(
                            -1,
                            new PFBuilder<Throwable, Graph<SourceShape<IdPage>, NotUsed>>()
                                    .match(
                                            Throwable.class,
                                            this::isTransient,
                                            failure -> olderPages().initialDelay(refresh))
                                    .build())
                    .mapConcat(page -> page.ids());
        }

        private Source<IdPage, NotUsed> olderPages() {
            return Source.lazySource(() -> pages(
                                    olderPosition,
                                    token -> limiter.run(() -> byTime(ids).readBetween(0, startMicros, token)))
                            .map(page -> {
                                olderPosition = new Position(page.next(), page.next() == null);
                                return page;
                            }))
                    .mapMaterializedValue(done -> NotUsed.getInstance());
        }

        Source<String, NotUsed> newer() {
            return Source.tick(Duration.ZERO, refresh, NotUsed.getInstance())
                    .mapMaterializedValue(cancellable -> NotUsed.getInstance())
                    .mapAsync(1, tick -> poll())
                    .mapConcat(polled -> polled.map(this::newIds).orElse(List.of()));
        }

        /** Empty after a transient failure: the next tick retries. */
        private CompletionStage<Optional<Polled>> poll() {
            List<String> all = new ArrayList<>();
            long sentMicros = nowMicros();
            long from = newerFromMicros;
            return Pages.<PageToken>drain(
                            null,
                            token -> limiter.run(() -> byTime(ids).readBetween(from, Long.MAX_VALUE, token))
                                    .thenApply(page -> {
                                        all.addAll(page.ids());
                                        return page.next();
                                    }))
                    .handle((read, failure) -> {
                        if (failure == null) {
                            return CompletableFuture.completedFuture(Optional.of(new Polled(sentMicros, all)));
                        }
                        return isTransient(failure)
                                ? CompletableFuture.completedFuture(Optional.<Polled>empty())
                                : CompletableFuture.<Optional<Polled>>failedFuture(Stages.unwrap(failure));
                    })
                    .thenCompose(outcome -> outcome);
        }

        private List<String> newIds(Polled polled) {
            List<String> fresh =
                    polled.ids().stream().filter(id -> !delivered.contains(id)).toList();
            delivered.retainAll(new HashSet<>(polled.ids()));
            delivered.addAll(fresh);
            newerFromMicros = Math.max(newerFromMicros, polled.sentMicros() - windowMicros);
            return fresh;
        }

        private boolean isTransient(Throwable failure) {
            boolean passes = QueryProgress.isTransient(Stages.unwrap(failure));
            if (passes) {
                progress.stuck(Stages.unwrap(failure), refresh, nowMicros());
            }
            return passes;
        }
    }

    private static long nowMicros() {
        return Clock.systemUTC().millis() * 1000;
    }
}
