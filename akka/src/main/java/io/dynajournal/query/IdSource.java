package io.dynajournal.query;

import akka.NotUsed;
import akka.japi.Pair;
import akka.stream.javadsl.Source;
import io.dynajournal.model.Slices;
import io.dynajournal.slices.ReaderSettings;
import io.dynajournal.store.PageToken;
import io.dynajournal.store.Pages;
import io.dynajournal.store.PersistenceIds;
import io.dynajournal.store.PersistenceIds.IdPage;
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

/** Streams of ids, a page at a time. */
final class IdSource {

    /** Where a stream of pages is. */
    private record At(@Nullable PageToken token, boolean end) {}

    private IdSource() {}

    static Source<String, NotUsed> current(
            PersistenceIds ids, Lane lane, @Nullable String entityType, @Nullable String behind) {
        CompletionStage<@Nullable PageToken> start =
                behind == null ? CompletableFuture.completedFuture(null) : lane.run(() -> ids.behind(behind));
        return Source.completionStage(start.thenApply(token -> new At(token, behind != null && token == null)))
                .flatMapConcat(at -> pages(at, token -> lane.run(() -> ids.read(token))))
                .filter(id -> entityType == null || entityType.equals(Slices.entityType(id)));
    }

    private static Source<String, NotUsed> pages(
            At start, Function<@Nullable PageToken, CompletionStage<IdPage>> read) {
        return Source.unfoldAsync(
                        start,
                        at -> at.end()
                                ? CompletableFuture.completedFuture(Optional.<Pair<At, List<String>>>empty())
                                : read.apply(at.token())
                                        .thenApply(page -> Optional.of(
                                                Pair.create(new At(page.next(), page.next() == null), page.ids()))))
                .mapConcat(page -> page);
    }

    /**
     * First the ids that are older than the window, then the others over and over: an id may show late. Those that were
     * delivered are remembered while they are inside the window.
     */
    static Source<String, NotUsed> live(PersistenceIds ids, Lane lane, ReaderSettings settings) {
        long window = settings.window().toNanos() / 1000;
        long old = now() - window;
        Source<String, NotUsed> first =
                pages(new At(null, false), token -> lane.run(() -> ids.readBetween(0, old, token)));
        Set<String> delivered = new HashSet<>();
        Source<String, NotUsed> then = Source.tick(
                        Duration.ZERO, settings.pace().refresh(), NotUsed.getInstance())
                .mapMaterializedValue(cancellable -> NotUsed.getInstance())
                .statefulMapConcat(() -> {
                    long[] from = {old + 1};
                    return tick -> {
                        long now = now();
                        long begin = from[0];
                        from[0] = Math.max(begin, now - window);
                        return List.of(begin);
                    };
                })
                .mapAsync(1, from -> recent(ids, lane, from))
                .mapConcat(recent -> {
                    List<String> fresh = recent.stream()
                            .filter(id -> !delivered.contains(id))
                            .toList();
                    delivered.retainAll(new HashSet<>(recent));
                    delivered.addAll(fresh);
                    return fresh;
                });
        return first.concat(then);
    }

    private static CompletionStage<List<String>> recent(PersistenceIds ids, Lane lane, long from) {
        List<String> all = new ArrayList<>();
        return Pages.<PageToken>drain(
                        null,
                        token -> lane.run(() -> ids.readBetween(from, Long.MAX_VALUE, token))
                                .thenApply(page -> {
                                    all.addAll(page.ids());
                                    return page.next();
                                }))
                .thenApply(read -> all);
    }

    private static long now() {
        return Clock.systemUTC().millis() * 1000;
    }
}
