package io.dynajournal;

import akka.actor.ActorSystem;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.dynajournal.internal.catalog.Layout;
import io.dynajournal.internal.layout.LayoutSettings;
import io.dynajournal.testkit.GoldenSet;
import io.dynajournal.testkit.LocalDynamo;
import java.net.URI;
import java.util.Map;
import software.amazon.awssdk.protocols.jsoncore.JsonNode;

/** Tables of a predecessor, and actor systems with its documented configuration on them. */
final class Adopted {

    private final LocalDynamo local;
    private final Systems systems;
    final String journal;
    final String snapshots;

    Adopted(LocalDynamo local, Systems systems) {
        this.local = local;
        this.systems = systems;
        this.journal = local.freshTable();
        this.snapshots = local.freshTable();
    }

    ActorSystem start(String settings, String overrides) {
        return start(settings, overrides, local.endpoint());
    }

    /** @param settings the name of a file of settings */
    ActorSystem start(String settings, String overrides, URI endpoint) {
        String tables = "endpoint = \"" + endpoint + "\", host = \"" + endpoint.getHost() + "\", port = "
                + endpoint.getPort() + ", journal = \"" + journal + "\", snapshots = \"" + snapshots + "\"";
        Config config = ConfigFactory.parseString(overrides)
                .withFallback(ConfigFactory.parseResources(settings + ".conf"))
                .withFallback(ConfigFactory.parseString(tables));
        return systems.start(ConfigFactory.load(config));
    }

    void create(Layout layout) {
        local.create(layout.journal(new LayoutSettings(Map.of(layout.journalTableKey(), journal)))
                .table());
        layout.snapshots(new LayoutSettings(Map.of(layout.snapshotTableKey(), snapshots)))
                .ifPresent(there -> local.create(there.table()));
    }

    void load(Layout layout, GoldenSet golden, String goldenJournal, String goldenSnapshots) {
        create(layout);
        golden.load(local, goldenJournal, journal);
        golden.load(local, goldenSnapshots, snapshots);
    }

    static long number(JsonNode node, String name) {
        return Long.parseLong(GoldenSet.field(node, name).asNumber());
    }
}
