package io.dynajournal.cli.store;

import io.dynajournal.cli.terminal.UsageException;
import io.dynajournal.internal.catalog.Layout;
import io.dynajournal.internal.dynamo.RetrySettings;
import io.dynajournal.internal.layout.JournalLayout;
import io.dynajournal.internal.layout.LayoutSettings;
import io.dynajournal.internal.layout.SnapshotLayout;
import io.dynajournal.internal.layout.StateLayout;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A layout with its settings, as the flags name them.
 *
 * @param tables the names that differ from the layout's own
 * @param values settings of the layout under the names that its plugin has for them
 */
public record FlagSettings(
        Connection connection, Layout layout, Map<StoreKind, String> tables, Map<String, String> values)
        implements StoreSettings {

    public FlagSettings {
        tables = Map.copyOf(tables);
        values = Map.copyOf(values);
        rejectUnknown(layout, tables, values);
    }

    /**
     * The layout with a name.
     *
     * @param name null for the native layout
     */
    public static Layout layoutNamed(@Nullable String name) {
        return checked(() -> name == null ? Layout.COMMITS : Layout.named(name));
    }

    /** A misspelled setting would read a wrong table. The settings of all stores are accepted. */
    private static void rejectUnknown(Layout layout, Map<StoreKind, String> tables, Map<String, String> values) {
        LayoutSettings settings = settings(layout.journalTableKey(), tables.get(StoreKind.JOURNAL), values);
        checked(() -> layout.journal(settings));
        checked(() -> layout.snapshots(settings));
        checked(() -> layout.states(settings));
        Set<String> unread = settings.unread();
        if (!unread.isEmpty()) {
            throw new UsageException("layout " + layout.spelled() + " has no setting " + String.join(", ", unread)
                    + "; its settings are " + String.join(", ", new TreeSet<>(settings.known())));
        }
    }

    @Override
    public Located<JournalLayout> journal() {
        return located(checked(() -> layout.journal(settings(StoreKind.JOURNAL, layout.journalTableKey()))));
    }

    @Override
    public Optional<Located<SnapshotLayout>> snapshots() {
        return checked(() -> layout.snapshots(settings(StoreKind.SNAPSHOTS, layout.snapshotTableKey())))
                .map(this::located);
    }

    /** The layouts with states name their tables as the journal's. */
    @Override
    public Optional<Located<StateLayout>> states() {
        return checked(() -> layout.states(settings(StoreKind.STATES, layout.journalTableKey())))
                .map(states -> new Located<>(states.variants(), checked(connection::settings), RetrySettings.DEFAULTS));
    }

    private <L> Located<L> located(L opened) {
        return new Located<>(List.of(opened), checked(connection::settings), RetrySettings.DEFAULTS);
    }

    private LayoutSettings settings(StoreKind kind, String tableKey) {
        return settings(tableKey, tables.get(kind), values);
    }

    private static LayoutSettings settings(String tableKey, @Nullable String table, Map<String, String> values) {
        Map<String, String> all = new HashMap<>(values);
        if (table != null) {
            all.put(tableKey, table);
        }
        return new LayoutSettings(all);
    }

    @Override
    public String described() {
        return "layout " + layout.spelled();
    }

    private static <T> T checked(Supplier<T> factory) {
        try {
            return factory.get();
        } catch (IllegalArgumentException e) {
            throw new UsageException(String.valueOf(e.getMessage()));
        }
    }
}
