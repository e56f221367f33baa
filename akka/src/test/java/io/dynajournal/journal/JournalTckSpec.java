package io.dynajournal.journal;

import akka.persistence.CapabilityFlag;
import akka.persistence.japi.journal.JavaJournalSpec;
import com.typesafe.config.ConfigFactory;
import io.dynajournal.Tables;

/** The toolkit's own suite for journals. */
public final class JournalTckSpec extends JavaJournalSpec {

    private static final long serialVersionUID = 1L;

    public JournalTckSpec() {
        super(ConfigFactory.load("tck"));
    }

    /** The suite waits 3 seconds for its first answer; the server's start must not count. */
    @Override
    public void beforeAll() {
        Tables.recreate(system(), "dynajournal.journal").toCompletableFuture().join();
        super.beforeAll();
    }

    @Override
    public CapabilityFlag supportsRejectingNonSerializableObjects() {
        return CapabilityFlag.on();
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
