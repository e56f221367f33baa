package io.dynajournal.snapshot;

import akka.persistence.CapabilityFlag;
import akka.persistence.Persistence;
import akka.persistence.japi.snapshot.JavaSnapshotStoreSpec;
import com.typesafe.config.ConfigFactory;
import io.dynajournal.Tables;

/** The toolkit's own suite for snapshot stores, on a predecessor's layout with a predecessor's settings. */
abstract class AdoptedSnapshotStoreSpec extends JavaSnapshotStoreSpec {

    private static final long serialVersionUID = 1L;

    AdoptedSnapshotStoreSpec(String settings) {
        super(ConfigFactory.load(settings));
    }

    /** The suite waits 3 seconds for its first answer; the server's start must not count. */
    @Override
    public void beforeAll() {
        String setting = Persistence.SnapshotStoreFallbackConfigPath().replace("-plugin-fallback", ".plugin");
        Tables.recreate(system(), system().settings().config().getString(setting))
                .toCompletableFuture()
                .join();
        super.beforeAll();
    }

    @Override
    public CapabilityFlag supportsSerialization() {
        return CapabilityFlag.on();
    }
}
