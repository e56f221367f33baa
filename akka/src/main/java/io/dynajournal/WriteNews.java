package io.dynajournal;

import io.dynajournal.settings.ReadConfig;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Who is told of writes through a journal or a durable state store: queries of this node, and in a cluster those of the others. Thread-safe. */
public final class WriteNews {

    private final Wakeups ofThisNode = new Wakeups();
    private final Wakeups ofAllNodes = new Wakeups();
    private final Consumer<String> otherNodes;

    /** @param cluster given who wants to hear of the other nodes' writes, tells how to let them hear of this node's */
    WriteNews(Function<Consumer<String>, Consumer<String>> cluster) {
        this.otherNodes = cluster.apply(ofAllNodes::written);
    }

    /** What wakes a query that hears of so many; null if it hears of none. */
    public @Nullable Wakeups heardBy(ReadConfig.Push push) {
        return switch (push) {
            case ON -> ofAllNodes;
            case LOCAL -> ofThisNode;
            case OFF -> null;
        };
    }

    /** Something of this id was stored, on this node. */
    public void written(String persistenceId) {
        ofThisNode.written(persistenceId);
        ofAllNodes.written(persistenceId);
        otherNodes.accept(persistenceId);
    }
}
