package io.dynajournal.bench;

import io.dynajournal.bench.LoadProcess.Answer;
import io.dynajournal.bench.LoadProcess.Failed;
import io.dynajournal.bench.wire.Exchange;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * A projection of everything that a group of entities has written, whose handler does nothing, so that only the query and the
 * offsets cost.
 *
 * @param kind the load program's name of it
 */
record ProjectionWorkload(String name, String kind, int entities) implements Workload {

    /** Begins the name of every such workload. */
    static final String PREFIX = "project-";

    /** Events of each entity. */
    private static final int EVENTS = 4;

    private static final String RESTARTED = "restarted-";

    @Override
    public boolean needsSnapshots() {
        return false;
    }

    @Override
    public boolean needsProjections() {
        return true;
    }

    @Override
    public boolean isQuick() {
        return false;
    }

    /** The second projection warms up, and is restarted in the end. */
    @Override
    public CompletableFuture<Answer> prepare(LoadProcess load, String group) {
        return written(load, group, EVENTS)
                .thenCompose(written -> load.project(group, kind, RESTARTED + group, EVENTS * entities));
    }

    private CompletableFuture<Answer> written(LoadProcess load, String group, int each) {
        return load.start(group, entities)
                .thenCompose(started -> load.write(group, "persist", each, 1, Workloads.EVENT_BYTES))
                .thenCompose(written -> load.stop(group));
    }

    /** Each turn is a new projection, which begins with the first event. */
    @Override
    public Figures measure(LoadSession session, String group) throws Failed {
        session.begin();
        Answer answer = LoadProcess.await(
                session.load().project(group, kind, kind + "-" + System.nanoTime(), EVENTS * entities));
        return FigureFactory.ofProjection(answer, session.end());
    }

    /** Counts the requests with which a projection starts that has offsets. */
    @Override
    public Figures finish(LoadSession session, String group) throws Failed {
        LoadProcess.await(written(session.load(), group, 1));
        session.proxy().take();
        LoadProcess.await(session.load().project(group, kind, RESTARTED + group, entities));
        return new Figures(
                Map.of(Figures.START_REQUESTS, startRequests(session.proxy().take())), null, null);
    }

    /** Before it reads events, a projection reads its offsets and takes over its range. */
    static double startRequests(List<Exchange> exchanges) {
        return exchanges.stream()
                .sorted(Comparator.comparingLong(Exchange::begin))
                .takeWhile(exchange -> !exchange.names(Tables.EVENTS))
                .filter(exchange -> exchange.names(Tables.OFFSETS))
                .count();
    }
}
