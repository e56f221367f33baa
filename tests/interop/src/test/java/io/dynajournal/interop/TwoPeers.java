package io.dynajournal.interop;

import io.dynajournal.internal.layout.JournalLayout;
import io.dynajournal.internal.layout.SnapshotLayout;
import io.dynajournal.testkit.LocalDynamo;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A predecessor and Dynajournal with the same tables, each in a process of its own. Our side is an actor system with our jar only and
 * the predecessor's own configuration.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class TwoPeers {

    enum First {
        THEY,
        WE
    }

    @RegisterExtension
    final LocalDynamo local = new LocalDynamo();

    final String journalTable = local.freshTable();
    final String snapshotTable = local.freshTable();
    final Peer they;
    final Peer we;

    /** Both processes have the same configuration, and the class path of their module. */
    TwoPeers(String theirModule, String ourModule, String configuration) {
        local.create(journal(journalTable).table());
        local.create(snapshots(snapshotTable).table());
        Map<String, String> open = Map.of(
                "peer.endpoint",
                local.endpoint().toString(),
                "peer.journal-table",
                journalTable,
                "peer.snapshot-table",
                snapshotTable,
                "peer.toolkit",
                theirModule.startsWith("pekko") ? "org.apache.pekko" : "akka");
        they = Peer.start(theirModule, configuration, open);
        we = Peer.start(ourModule, configuration, open);
    }

    abstract JournalLayout journal(String table);

    abstract SnapshotLayout snapshots(String table);

    @AfterAll
    void end() {
        they.close();
        we.close();
    }

    Peer one(First first) {
        return first == First.THEY ? they : we;
    }

    Peer other(First first) {
        return first == First.THEY ? we : they;
    }

    /** A story of a new persistence id. */
    static Story story() {
        return story("cart-", "");
    }

    static Story story(String prefix, String store) {
        return new Story(new Entity(prefix + UUID.randomUUID().toString().replace("-", ""), store));
    }
}
