package io.dynajournal.journal;

import akka.persistence.CapabilityFlag;

/** The toolkit's suite on the layout j5ik2o. */
public final class J5JournalTckSpec extends AdoptedJournalSpec {

    private static final long serialVersionUID = 1L;

    public J5JournalTckSpec() {
        super("tck-j5ik2o");
    }

    @Override
    public CapabilityFlag supportsMetadata() {
        return CapabilityFlag.on();
    }
}
