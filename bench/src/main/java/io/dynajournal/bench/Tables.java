package io.dynajournal.bench;

import io.dynajournal.bench.Plugin.Server;
import io.dynajournal.internal.catalog.Layout;
import io.dynajournal.internal.dynamo.TableAdmin;
import io.dynajournal.internal.dynamo.TableSpec;
import io.dynajournal.internal.layout.LayoutSettings;
import io.dynajournal.internal.layout.SnapshotLayout;
import io.dynajournal.internal.projections.ProjectionOffsets;
import io.dynajournal.testkit.Await;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/** The tables of one plugin in one run; deleted at its end. */
final class Tables implements AutoCloseable {

    /** The ends of the tables' names. */
    static final String EVENTS = "_events";

    static final String OFFSETS = "_offsets";

    private final TableAdmin admin;
    private final String prefix = "bench_" + UUID.randomUUID().toString().substring(0, 8);
    private final List<TableSpec> specs = new ArrayList<>();
    private final List<TableSpec> created = new ArrayList<>();

    private Tables(TableAdmin admin) {
        this.admin = admin;
    }

    static Tables create(DynamoDbAsyncClient client, Plugin plugin) {
        Tables tables = new Tables(new TableAdmin(client));
        Layout layout = plugin.layout();
        if (layout != null) {
            Map<String, String> settings = new HashMap<>(Map.of(layout.journalTableKey(), tables.events()));
            if (layout == Layout.COMMITS) {
                String indexes = plugin.hasIndexes() ? "on" : "off";
                settings.put("index.slices", indexes);
                settings.put("index.ids", indexes);
            }
            tables.specs.add(layout.journal(new LayoutSettings(settings)).table());
            layout.snapshots(new LayoutSettings(Map.of(layout.snapshotTableKey(), tables.snapshots())))
                    .map(SnapshotLayout::table)
                    .ifPresent(tables.specs::add);
            if (plugin.projects()) {
                tables.specs.add(ProjectionOffsets.table(tables.offsets()));
            }
            if (plugin.runsOn(Server.DYNAMODB)) {
                tables.specs.forEach(spec -> Await.result(tables.admin.create(spec)));
                tables.created.addAll(tables.specs);
            }
        }
        return tables;
    }

    String events() {
        return prefix + EVENTS;
    }

    /** Of projections. */
    String offsets() {
        return prefix + OFFSETS;
    }

    String snapshots() {
        return prefix + "_snapshots";
    }

    List<TableSpec> specs() {
        return specs;
    }

    /** The name of the partition key by table. */
    Map<String, String> keyAttributes() {
        return specs.stream()
                .collect(Collectors.toMap(TableSpec::name, spec -> spec.hash().name()));
    }

    @Override
    public void close() {
        created.forEach(spec -> Await.result(admin.delete(spec.name())));
    }
}
