package io.dynajournal;

import java.util.function.Consumer;
import java.util.function.Function;

/** Who is told of writes through a journal: queries of this node, and in a cluster those of the others. Thread-safe. */
public final class WriteNews {

    private final Wakeups ofThisNode = new Wakeups();
    private final Wakeups ofAllNodes = new Wakeups();
    private final Consumer<String> otherNodes;

    /** @param cluster given who wants to hear of the other nodes' writes, tells how to let them hear of this node's */
    WriteNews(Function<Consumer<String>, Consumer<String>> cluster) {
        this.otherNodes = cluster.apply(ofAllNodes::written);
    }

    /** For those that want to hear of writes of this node only. */
    public Wakeups ofThisNode() {
        return ofThisNode;
    }

    public Wakeups ofAllNodes() {
        return ofAllNodes;
    }

    /** Something of this id was stored, on this node. */
    public void written(String persistenceId) {
        ofThisNode.written(persistenceId);
        ofAllNodes.written(persistenceId);
        otherNodes.accept(persistenceId);
    }
}
