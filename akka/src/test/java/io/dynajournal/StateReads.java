package io.dynajournal;

import akka.actor.ActorSystem;
import akka.persistence.query.DeletedDurableState;
import akka.persistence.query.DurableStateChange;
import akka.persistence.query.UpdatedDurableState;
import akka.persistence.state.DurableStateStoreRegistry;
import io.dynajournal.state.javadsl.DynajournalDurableStateStore;
import java.util.List;
import java.util.UUID;

/** Durable state stores, and changes as short texts. */
final class StateReads {

    static final String STORE = "dynajournal.state";

    private StateReads() {}

    /** Settings for a table that no other test uses. */
    static String freshTable() {
        return "dynajournal.state.table = \"q_" + UUID.randomUUID() + "\"\n";
    }

    @SuppressWarnings("unchecked")
    static DynajournalDurableStateStore<String> store(ActorSystem system, String pluginId) {
        return DurableStateStoreRegistry.get(system)
                .getDurableStateStoreFor(DynajournalDurableStateStore.class, pluginId);
    }

    static io.dynajournal.state.scaladsl.DynajournalDurableStateStore<String> scalaStore(ActorSystem system) {
        return DurableStateStoreRegistry.get(system).durableStateStoreFor(STORE);
    }

    static long revision(DurableStateChange<String> change) {
        return change instanceof UpdatedDurableState<String> updated
                ? updated.revision()
                : ((DeletedDurableState<String>) change).revision();
    }

    /** Id, revision and value, or a dash for a deleted one. */
    static String text(DurableStateChange<String> change) {
        String value = change instanceof UpdatedDurableState<String> updated ? updated.value() : "-";
        return change.persistenceId() + " " + revision(change) + " " + value;
    }

    static List<String> texts(List<? extends DurableStateChange<String>> changes) {
        return changes.stream().map(StateReads::text).toList();
    }
}
