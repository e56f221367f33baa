package io.dynajournal.internal.plugin;

import io.dynajournal.internal.dynamo.TableHealth;
import io.dynajournal.internal.dynamo.TableSpec;
import java.util.concurrent.CompletionStage;

/**
 * The table of a plugin that has started.
 *
 * @param mayQuery whether the plugin needs the permission to query its table, so that a health check has it
 */
record TableInUse(OpenClient client, TableSpec table, boolean mayQuery) {

    String name() {
        return table.name();
    }

    CompletionStage<TableHealth> health() {
        return client.dynamo().health(table, mayQuery);
    }
}
