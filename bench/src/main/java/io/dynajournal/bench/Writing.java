package io.dynajournal.bench;

import io.dynajournal.bench.LoadProcess.Answer;
import io.dynajournal.bench.LoadProcess.Failed;
import java.util.concurrent.CompletableFuture;

/**
 * Entities that write at the same time.
 *
 * @param how as the toolkits name it
 * @param times how many writes an entity makes in a turn at least, one after another
 * @param events in a write
 * @param bytes of an event
 * @param warmUps how many turns it has before it is measured, so that the JVMs of the plugin and of the server have compiled it
 * @param turns in a round
 */
record Writing(String name, int entities, String how, int times, int events, int bytes, int warmUps, int turns)
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
    public Figures measure(Stage stage, String group) throws Failed {
        int each = stage.load().writesIn(stage.turn(), group, entities, times);
        stage.begin();
        Answer answer = LoadProcess.await(stage.load().write(group, how, each, events, bytes));
        return Tally.ofWrites(answer, answer.events(), entities, stage.end());
    }

    @Override
    public Figures finish(Stage stage, String group) throws Failed {
        LoadProcess.await(stage.load().stop(group));
        return Figures.NONE;
    }
}
