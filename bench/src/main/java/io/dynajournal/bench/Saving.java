package io.dynajournal.bench;

import io.dynajournal.bench.LoadProcess.Answer;
import io.dynajournal.bench.LoadProcess.Failed;
import java.util.concurrent.CompletableFuture;

/** Entities that save a snapshot at the same time; a snapshot counts as an event here. */
record Saving(String name, int entities, int bytes) implements Workload {

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
    public Figures measure(Stage stage, String group) throws Failed {
        // At another number than the last one, which stays where it is.
        LoadProcess.await(stage.load().write(group, "persist", 1, 1, SMALL));
        stage.begin();
        Answer answer = LoadProcess.await(stage.load().snapshot(group, bytes));
        return Tally.ofWrites(answer, answer.operations(), entities, stage.end());
    }

    @Override
    public Figures finish(Stage stage, String group) throws Failed {
        LoadProcess.await(stage.load().stop(group));
        return Figures.NONE;
    }
}
