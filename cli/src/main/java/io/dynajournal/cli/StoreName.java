package io.dynajournal.cli;

import io.dynajournal.cli.store.StoreSettings;
import io.dynajournal.cli.store.Stores;
import io.dynajournal.internal.dynamo.ClientSettings;
import io.dynajournal.listener.RequestListener;

/**
 * What tells a store from all others: a checkpoint says nothing of a table of the same name elsewhere.
 *
 * @param layout the layout, or the configuration
 * @param location the table, and the address of its DynamoDB
 * @param credentials which profile decides on the account
 */
record StoreName(String layout, String location, String credentials) {

    /**
     * The name of a store.
     *
     * @param events whether the store is named by its events, or by its durable states
     */
    static StoreName of(StoreSettings settings, boolean events) {
        try (Stores stores = new Stores(settings, RequestListener.NONE)) {
            if (events) {
                var journal = stores.journal();
                return new StoreName(
                        settings.described(),
                        location(journal.layout().table().name(), journal.endpoint()),
                        credentials(settings.journal().client()));
            }
            var states = stores.states();
            return new StoreName(
                    settings.described(),
                    location(states.layout().table().name(), states.endpoint()),
                    credentials(settings.states().orElseThrow().client()));
        }
    }

    private static String location(String table, String endpoint) {
        return "table " + table + " at " + endpoint;
    }

    private static String credentials(ClientSettings client) {
        return client.credentials().toString();
    }

    boolean isSameTable(StoreName other) {
        return location.equals(other.location) && credentials.equals(other.credentials);
    }

    @Override
    public String toString() {
        return layout + ", " + location + ", " + credentials;
    }
}
