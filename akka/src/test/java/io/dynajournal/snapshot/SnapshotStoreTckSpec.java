package io.dynajournal.snapshot;

import akka.persistence.CapabilityFlag;
import akka.persistence.japi.snapshot.JavaSnapshotStoreSpec;
import com.typesafe.config.ConfigFactory;
import io.dynajournal.Tables;

/** The toolkit's own suite for snapshot stores. */
public final class SnapshotStoreTckSpec extends JavaSnapshotStoreSpec {

    private static final long serialVersionUID = 1L;

    public SnapshotStoreTckSpec() {
        super(ConfigFactory.load("tck"));
    }

    /** The suite waits 3 seconds for its first answer; the server's start must not count. */
    @Override
    public void beforeAll() {
        Tables.recreate(system(), "dynajournal.snapshot").toCompletableFuture().join();
        super.beforeAll();
    }

    @Override
    public CapabilityFlag supportsSerialization() {
        return CapabilityFlag.on();
    }

    @Override
    public CapabilityFlag supportsMetadata() {
        return CapabilityFlag.on();
    }
}
