package io.dynajournal.snapshot;

import akka.persistence.CapabilityFlag;
import java.util.Set;
import org.scalatest.Outcome;
import org.scalatest.Succeeded$;
import org.scalatest.TestSuite;

/**
 * The toolkit's suite on the layout akka2, whose table holds one snapshot per id: the newest replaces the one before. What
 * of the suite asks for an older one is listed, and must fail as long as it is.
 */
public final class Akka2SnapshotStoreTckSpec extends AdoptedSnapshotStoreSpec {

    private static final long serialVersionUID = 1L;

    private static final Set<String> WANTS_AN_OLDER_ONE = Set.of(
            "A snapshot store must load the most recent snapshot matching an upper sequence number bound",
            "A snapshot store must load the most recent snapshot matching upper sequence number and timestamp bounds",
            "A snapshot store must delete a single snapshot identified by sequenceNr in snapshot metadata",
            "A snapshot store must delete all snapshots matching upper sequence number and timestamp bounds",
            "A snapshot store must not delete snapshots with non-matching upper timestamp bounds");

    public Akka2SnapshotStoreTckSpec() {
        super("tck-akka2");
    }

    @Override
    public CapabilityFlag supportsMetadata() {
        return CapabilityFlag.on();
    }

    @Override
    public Outcome withFixture(TestSuite.NoArgTest test) {
        Outcome outcome = super.withFixture(test);
        if (!WANTS_AN_OLDER_ONE.contains(test.name())) {
            return outcome;
        }
        if (outcome.isSucceeded()) {
            throw new IllegalStateException(test.name() + ": passes, although one snapshot per id is kept");
        }
        return Succeeded$.MODULE$;
    }
}
