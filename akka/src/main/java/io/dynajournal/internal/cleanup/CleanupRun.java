package io.dynajournal.internal.cleanup;

import akka.Done;
import akka.actor.ClassicActorSystemProvider;
import akka.event.Logging;
import akka.event.LoggingAdapter;
import akka.stream.javadsl.Sink;
import akka.stream.javadsl.Source;
import io.dynajournal.internal.settings.CleanupConfig;
import io.dynajournal.internal.store.Stages;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Runs an operation for each persistence id of a stream, some of them concurrently, and demands no more ids than that. It
 * ends at the first failure, and can then be run again from the start. Thread-safe.
 */
final class CleanupRun {

    private final ClassicActorSystemProvider system;
    private final CleanupConfig config;
    private final LoggingAdapter log;
    private final Consumer<String> onCleaned;

    /** @param onCleaned called with each persistence id after it was cleaned up, one call after another */
    CleanupRun(ClassicActorSystemProvider system, CleanupConfig config, Consumer<String> onCleaned) {
        this.system = system;
        this.config = config;
        this.log = Logging.getLogger(system.classicSystem(), CleanupRun.class);
        this.onCleaned = onCleaned;
    }

    CompletionStage<Done> run(
            String name, Source<String, ?> ids, Function<String, ? extends CompletionStage<Void>> operation) {
        AtomicLong count = new AtomicLong();
        return ids.mapAsyncUnordered(config.parallelism(), id -> cleaned(name, id, operation))
                .map(id -> {
                    long cleaned = count.incrementAndGet();
                    if (cleaned % config.logProgressEvery() == 0) {
                        log.info("Clean-up {}: {} persistence ids so far", name, cleaned);
                    }
                    onCleaned.accept(id);
                    return id;
                })
                .runWith(Sink.ignore(), system)
                .whenComplete((done, failure) -> {
                    if (failure == null) {
                        log.info("Clean-up {}: completed, {} persistence ids", name, count);
                    } else {
                        log.warning(
                                "Clean-up {} ended after {} persistence ids. Run it again; it may start from the first one. {}",
                                name,
                                count,
                                Stages.unwrap(failure).getMessage());
                    }
                });
    }

    private CompletionStage<String> cleaned(
            String name, String id, Function<String, ? extends CompletionStage<Void>> operation) {
        return Stages.<Void>guarded(() -> operation.apply(id))
                .handle((done, failure) -> {
                    if (failure == null) {
                        return CompletableFuture.completedFuture(id);
                    }
                    log.warning("Clean-up {} failed at persistence id {}", name, id);
                    return CompletableFuture.<String>failedFuture(Stages.unwrap(failure));
                })
                .thenCompose(Function.identity());
    }
}
