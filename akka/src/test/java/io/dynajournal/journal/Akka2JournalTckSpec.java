package io.dynajournal.journal;

import akka.persistence.CapabilityFlag;

/** The toolkit's suite on the layout akka2. */
public final class Akka2JournalTckSpec extends AdoptedJournalSpec {

    private static final long serialVersionUID = 1L;

    public Akka2JournalTckSpec() {
        super("tck-akka2");
    }

    @Override
    public CapabilityFlag supportsMetadata() {
        return CapabilityFlag.on();
    }
}
