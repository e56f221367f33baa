package io.dynajournal.bench;

import io.dynajournal.bench.LoadProcess.Answer;
import io.dynajournal.bench.LoadProcess.Failed;
import java.util.concurrent.CompletableFuture;

/** Work on DynamoDB that every plugin does in the same way, with a group of entities of its own. */
interface Workload {

    String name();

    boolean needsSnapshots();

    default boolean needsProjections() {
        return false;
    }

    /** Whether a quick run has time for it. */
    default boolean isQuick() {
        return true;
    }

    /** Whether one turn is enough: it takes long and has many entities. */
    default boolean isOnce() {
        return false;
    }

    /** Turns per round. */
    default int turns() {
        return 1;
    }

    /** Whether it is prepared concurrently with others: few entities write for a long time. */
    default boolean preparesConcurrently() {
        return false;
    }

    /** Writes what must exist before the measurement. */
    CompletableFuture<Answer> prepare(LoadProcess load, String group);

    /** Measures one turn. */
    Figures measure(LoadSession session, String group) throws Failed;

    /** Stops the group and returns the figures that are measured only once. */
    Figures finish(LoadSession session, String group) throws Failed;
}
