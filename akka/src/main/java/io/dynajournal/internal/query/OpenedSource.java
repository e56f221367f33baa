package io.dynajournal.internal.query;

import akka.NotUsed;
import akka.japi.pf.PFBuilder;
import akka.stream.Graph;
import akka.stream.SourceShape;
import akka.stream.javadsl.Source;
import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.plugin.PluginStartup;
import io.dynajournal.internal.store.Stages;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/** Streams that need an open plugin. Nothing is requested before a stream runs; what is wrong then fails the stream. */
final class OpenedSource {

    private static final Duration FIRST_RETRY_DELAY = Duration.ofSeconds(1);
    private static final Duration MAX_RETRY_DELAY = Duration.ofSeconds(30);

    private OpenedSource() {}

    /** A query that fails if the plugin does not start. */
    static <P, T> Source<T, NotUsed> current(PluginStartup<P> startup, Function<P, Source<T, NotUsed>> query) {
        return open(startup).flatMapConcat(query::apply);
    }

    /** A query that waits until the plugin starts, unless its settings are wrong. */
    static <P, T> Source<T, NotUsed> live(
            PluginStartup<P> startup,
            QueryProgress.Reports reports,
            String name,
            Function<P, Source<T, NotUsed>> query) {
        return Source.fromMaterializer((materializer, attributes) ->
                        live(startup, new QueryProgress(reports, name, attributes), query))
                .mapMaterializedValue(done -> NotUsed.getInstance());
    }

    private static <P, T> Source<T, NotUsed> live(
            PluginStartup<P> startup, QueryProgress progress, Function<P, Source<T, NotUsed>> query) {
        AtomicInteger failures = new AtomicInteger();
        return open(startup)
                .recoverWithRetries(
                        -1,
                        new PFBuilder<Throwable, Graph<SourceShape<P>, NotUsed>>()
                                .match(
                                        Throwable.class,
                                        failure -> Stages.unwrap(failure) instanceof StoreException,
                                        failure -> {
                                            Duration delay = retryDelay(failures.incrementAndGet());
                                            progress.stuck(Stages.unwrap(failure), delay, nowMicros());
                                            return open(startup).initialDelay(delay);
                                        })
                                .build())
                .flatMapConcat(query::apply);
    }

    private static <P> Source<P, NotUsed> open(PluginStartup<P> startup) {
        return Source.lazyCompletionStage(() -> startup.use(CompletableFuture::completedFuture))
                .mapMaterializedValue(done -> NotUsed.getInstance());
    }

    private static Duration retryDelay(int failures) {
        Duration delay = FIRST_RETRY_DELAY;
        for (int i = 1; i < failures && delay.compareTo(MAX_RETRY_DELAY) < 0; i++) {
            delay = delay.multipliedBy(2);
        }
        return delay.compareTo(MAX_RETRY_DELAY) < 0 ? delay : MAX_RETRY_DELAY;
    }

    private static long nowMicros() {
        return Clock.systemUTC().millis() * 1000;
    }
}
