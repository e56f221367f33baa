package io.dynajournal.snapshot;

/** The toolkit's suite on the layout j5ik2o. */
public final class J5SnapshotStoreTckSpec extends AdoptedSnapshotStoreSpec {

    private static final long serialVersionUID = 1L;

    public J5SnapshotStoreTckSpec() {
        super("tck-j5ik2o");
    }
}
