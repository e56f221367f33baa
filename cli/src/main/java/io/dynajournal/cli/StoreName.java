package io.dynajournal.cli;

import io.dynajournal.cli.store.StoreKind;
import io.dynajournal.cli.store.StoreSettings;
import io.dynajournal.cli.store.Stores;
import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.listener.RequestListener;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What identifies a store: a checkpoint does not apply to a table of the same name elsewhere.
 *
 * @param layout the layout, or the configuration
 * @param tables the tables, the one that is named first
 */
record StoreName(String layout, List<Table> tables) {

    /**
     * A table.
     *
     * @param identity what DynamoDB calls it, with its account; empty where persistence ids select the table
     */
    record Table(String name, String endpoint, String identity) {

        @Override
        public String toString() {
            return "table " + name + " at " + endpoint + (identity.isEmpty() ? "" : ", " + identity);
        }
    }

    /**
     * The name of a store.
     *
     * @throws StoreException if one of its tables does not exist
     */
    static StoreName of(StoreSettings settings, Set<StoreKind> kinds) {
        List<Table> tables = new ArrayList<>();
        try (Stores stores = new Stores(settings, RequestListener.NONE)) {
            if (kinds.contains(StoreKind.JOURNAL)) {
                var open = stores.journal();
                tables.add(table(open.dynamo(), open.layout().table().name(), open.endpoint()));
            }
            if (kinds.contains(StoreKind.SNAPSHOTS)) {
                var open = stores.snapshots();
                tables.add(table(open.dynamo(), open.layout().table().name(), open.endpoint()));
            }
            if (kinds.contains(StoreKind.STATES)) {
                var open = stores.states();
                String name = open.layout().table().name();
                tables.add(
                        open.layout().isOneTable()
                                ? table(open.dynamo(), name, open.endpoint())
                                : new Table(name, open.endpoint(), ""));
            }
        }
        return new StoreName(settings.described(), tables);
    }

    private static Table table(Dynamo dynamo, String name, String endpoint) {
        Optional<String> identity = Stores.await(dynamo.tables().identity(name));
        return new Table(
                name,
                endpoint,
                identity.orElseThrow(() -> new StoreException.Refused(
                        "Table " + name + " at " + endpoint
                                + " does not exist. Nothing was changed. dynajournal tables create creates it.",
                        null)));
    }

    String location() {
        return tables.get(0).toString();
    }

    /** Also by another address. */
    boolean isSameTable(StoreName other) {
        Table one = tables.get(0);
        Table another = other.tables.get(0);
        return one.identity().isEmpty() ? one.equals(another) : one.identity().equals(another.identity());
    }

    @Override
    public String toString() {
        return layout + ", " + tables.stream().map(Table::toString).collect(Collectors.joining(", "));
    }
}
