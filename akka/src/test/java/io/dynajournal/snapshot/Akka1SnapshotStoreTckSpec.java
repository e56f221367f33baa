package io.dynajournal.snapshot;

/** The toolkit's suite on the layout akka1. */
public final class Akka1SnapshotStoreTckSpec extends AdoptedSnapshotStoreSpec {

    private static final long serialVersionUID = 1L;

    public Akka1SnapshotStoreTckSpec() {
        super("tck-akka1");
    }
}
