package io.dynajournal.journal;

import akka.persistence.CapabilityFlag;
import akka.persistence.Persistence;
import akka.persistence.japi.journal.JavaJournalSpec;
import com.typesafe.config.ConfigFactory;
import io.dynajournal.Tables;

/** The toolkit's own suite for journals, on a predecessor's layout with a predecessor's settings. */
abstract class AdoptedJournalSpec extends JavaJournalSpec {

    private static final long serialVersionUID = 1L;

    AdoptedJournalSpec(String settings) {
        super(ConfigFactory.load(settings));
    }

    /** The suite waits 3 seconds for its first answer; the server's start must not count. */
    @Override
    public void beforeAll() {
        String setting = Persistence.JournalFallbackConfigPath().replace("-plugin-fallback", ".plugin");
        Tables.recreate(system(), system().settings().config().getString(setting))
                .toCompletableFuture()
                .join();
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
}
