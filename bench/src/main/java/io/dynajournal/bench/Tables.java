package io.dynajournal.bench;

import io.dynajournal.catalog.Layout;
import io.dynajournal.dynamo.TableAdmin;
import io.dynajournal.dynamo.TableSpec;
import io.dynajournal.layout.LayoutSettings;
import io.dynajournal.layout.SnapshotLayout;
import io.dynajournal.testkit.Await;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/** The tables of one plugin in one run; gone in the end. */
final class Tables implements AutoCloseable {

    private final TableAdmin admin;
    private final String prefix = "bench_" + UUID.randomUUID().toString().substring(0, 8);
    private final List<TableSpec> specs = new ArrayList<>();

    private Tables(TableAdmin admin) {
        this.admin = admin;
    }

    static Tables create(DynamoDbAsyncClient client, Plugin plugin) {
        Tables tables = new Tables(new TableAdmin(client));
        Layout layout = plugin.layout();
        if (layout != null) {
            Map<String, String> settings = new HashMap<>(Map.of(layout.journalTableKey(), tables.events()));
            if (layout == Layout.COMMITS) {
                String indexes = plugin.settings().getOrDefault("load.indexes", "on");
                settings.put("index.slices", indexes);
                settings.put("index.ids", indexes);
            }
            tables.specs.add(layout.journal(new LayoutSettings(settings)).table());
            layout.snapshots(new LayoutSettings(Map.of(layout.snapshotTableKey(), tables.snapshots())))
                    .map(SnapshotLayout::table)
                    .ifPresent(tables.specs::add);
            tables.specs.forEach(spec -> Await.result(tables.admin.create(spec)));
        }
        return tables;
    }

    String events() {
        return prefix + "_events";
    }

    String snapshots() {
        return prefix + "_snapshots";
    }

    List<TableSpec> specs() {
        return specs;
    }

    @Override
    public void close() {
        specs.forEach(spec -> Await.result(admin.delete(spec.name())));
    }
}
