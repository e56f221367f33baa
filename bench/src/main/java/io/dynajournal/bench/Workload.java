package io.dynajournal.bench;

import io.dynajournal.bench.LoadProcess.Answer;
import io.dynajournal.bench.LoadProcess.Failed;
import java.util.concurrent.CompletableFuture;

/** Something that every plugin does in the same way. A group holds its entities, which nobody else uses. */
interface Workload {

    String name();

    boolean needsSnapshots();

    /** Writes what must be there before; may overlap with other workloads' preparation. */
    CompletableFuture<Answer> prepare(LoadProcess load, String group);

    Figures measure(Stage stage, String group) throws Failed;
}
