package io.dynajournal.bench;

import io.dynajournal.bench.LoadProcess.Answer;
import io.dynajournal.bench.LoadProcess.Failed;
import java.util.concurrent.CompletableFuture;

/** Something that every plugin does in the same way. A group holds its entities, which nobody else uses. */
interface Workload {

    String name();

    boolean needsSnapshots();

    /** Whether a quick run has time for it. */
    default boolean isQuick() {
        return true;
    }

    /** Whether one turn is enough: it takes long, and so many entities tell more than a median would. */
    default boolean isOnce() {
        return false;
    }

    /** How many turns it has in a round. Many short turns tell more than a few long ones. */
    default int turns() {
        return 1;
    }

    /** Whether few entities prepare it for so long that others need not wait for them. */
    default boolean preparesAlong() {
        return false;
    }

    /** Writes what must be there before. */
    CompletableFuture<Answer> prepare(LoadProcess load, String group);

    /** One turn. */
    Figures measure(Stage stage, String group) throws Failed;

    /** Leaves the group, and gives what need not be measured in every turn. */
    Figures finish(Stage stage, String group) throws Failed;
}
