package io.dynajournal.internal.plugin;

import io.dynajournal.internal.settings.ReadConfig;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Wakes live queries when something is written through a journal or a durable state store: those of this node, and in a
 * cluster those of the other nodes. Thread-safe.
 */
public final class WriteNotifications {

    private final Wakeups ofThisNode = new Wakeups();
    private final Wakeups ofAllNodes = new Wakeups();
    private final Consumer<String> otherNodes;

    /** @param cluster takes a receiver of the other nodes' writes, and returns a sender of this node's writes */
    WriteNotifications(Function<Consumer<String>, Consumer<String>> cluster) {
        this.otherNodes = cluster.apply(ofAllNodes::written);
    }

    /** The wake-ups of a query with this setting; null if it gets none. */
    public @Nullable Wakeups heardBy(ReadConfig.Push push) {
        return switch (push) {
            case CLUSTER -> ofAllNodes;
            case LOCAL -> ofThisNode;
            case OFF -> null;
        };
    }

    /** Something of this persistence id was stored by this node. */
    public void written(String persistenceId) {
        ofThisNode.written(persistenceId);
        ofAllNodes.written(persistenceId);
        otherNodes.accept(persistenceId);
    }
}
