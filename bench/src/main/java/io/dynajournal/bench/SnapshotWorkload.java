package io.dynajournal.bench;

import io.dynajournal.bench.LoadProcess.Answer;
import io.dynajournal.bench.LoadProcess.Failed;
import java.util.concurrent.CompletableFuture;

/** Entities that save a snapshot concurrently; a snapshot counts as an event. */
record SnapshotWorkload(String name, int entities, int bytes) implements Workload {

    private static final int SMALL = 100;

    @Override
    public boolean needsSnapshots() {
        return true;
    }

    @Override
    public boolean isQuick() {
        return false;
    }

    @Override
    public CompletableFuture<Answer> prepare(LoadProcess load, String group) {
        return load.start(group, entities)
                .thenCompose(started -> load.write(group, "persist", 1, 1, SMALL))
                .thenCompose(written -> load.snapshot(group, SMALL));
    }

    @Override
    public Figures measure(LoadSession session, String group) throws Failed {
        // A new sequence number, so that the earlier snapshot is kept.
        LoadProcess.await(session.load().write(group, "persist", 1, 1, SMALL));
        session.begin();
        Answer answer = LoadProcess.await(session.load().snapshot(group, bytes));
        return FigureFactory.ofWrites(answer, answer.operations(), entities, session.end());
    }

    @Override
    public Figures finish(LoadSession session, String group) throws Failed {
        LoadProcess.await(session.load().stop(group));
        return Figures.NONE;
    }
}
