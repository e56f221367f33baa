package io.dynajournal.snapshot;

import akka.persistence.CapabilityFlag;
import akka.persistence.Persistence;
import akka.persistence.japi.snapshot.JavaSnapshotStoreSpec;
import com.typesafe.config.ConfigFactory;
import io.dynajournal.Tables;

/** The toolkit's own suite for snapshot stores, on a predecessor's layout with a predecessor's settings. */
abstract class AdoptedSnapshotStoreSpec extends JavaSnapshotStoreSpec {

    private static final long serialVersionUID = 1L;

    private final boolean metadata;

    /** @param metadata whether the layout keeps the metadata of events and snapshots */
    AdoptedSnapshotStoreSpec(String settings, boolean metadata) {
        super(ConfigFactory.load(settings));
        this.metadata = metadata;
    }

    /** The suite waits 3 seconds for its first answer; the server's start must not count. */
    @Override
    public void beforeAll() {
        String setting = Persistence.SnapshotStoreFallbackConfigPath().replace("-plugin-fallback", ".plugin");
        Tables.create(system(), system().settings().config().getString(setting), true)
                .toCompletableFuture()
                .join();
        super.beforeAll();
    }

    @Override
    public CapabilityFlag supportsSerialization() {
        return CapabilityFlag.on();
    }

    @Override
    public CapabilityFlag supportsMetadata() {
        return metadata ? CapabilityFlag.on() : CapabilityFlag.off();
    }
}
