package io.dynajournal.bench;

import io.dynajournal.bench.LoadProcess.Answer;
import io.dynajournal.bench.LoadProcess.Failed;
import java.util.concurrent.CompletableFuture;

/**
 * Entities that write concurrently.
 *
 * @param how the toolkits' name of the method
 * @param times writes per entity and turn at least, one after another
 * @param events in a write
 * @param bytes of an event
 * @param warmUps unmeasured turns, in which the JVMs of the plugin and the server compile
 * @param turns per round
 */
record WriteWorkload(String name, int entities, String how, int times, int events, int bytes, int warmUps, int turns)
        implements Workload {

    @Override
    public boolean needsSnapshots() {
        return false;
    }

    @Override
    public boolean isQuick() {
        return bytes == Workloads.EVENT_BYTES;
    }

    @Override
    public CompletableFuture<Answer> prepare(LoadProcess load, String group) {
        CompletableFuture<Answer> all = load.start(group, entities);
        for (int i = 0; i < warmUps; i++) {
            all = all.thenCompose(before -> load.write(group, how, times, events, bytes));
        }
        return all;
    }

    @Override
    public Figures measure(LoadSession session, String group) throws Failed {
        int each = session.load().writesIn(session.turn(), group, entities, times);
        session.begin();
        Answer answer = LoadProcess.await(session.load().write(group, how, each, events, bytes));
        return FigureFactory.ofWrites(answer, answer.events(), entities, session.end());
    }

    @Override
    public Figures finish(LoadSession session, String group) throws Failed {
        LoadProcess.await(session.load().stop(group));
        return Figures.NONE;
    }
}
