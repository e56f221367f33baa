package io.dynajournal.cli;

import io.dynajournal.catalog.Layout;
import io.dynajournal.dynamo.AwsClient;
import io.dynajournal.dynamo.ClientSettings;
import io.dynajournal.dynamo.Clients;
import io.dynajournal.dynamo.CredentialSource;
import io.dynajournal.dynamo.Dynamo;
import io.dynajournal.dynamo.RequestListener;
import io.dynajournal.dynamo.RetrySettings;
import io.dynajournal.layout.JournalLayout;
import io.dynajournal.layout.LayoutSettings;
import io.dynajournal.layout.SnapshotLayout;
import java.net.URI;
import java.time.Clock;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The tables that a command line speaks of. Close it when done. */
final class Tables implements AutoCloseable {

    private final Arguments arguments;
    private final Layout layout;
    private final AwsClient client;
    private final Dynamo dynamo;

    private Tables(Arguments arguments, Layout layout, AwsClient client) {
        this.arguments = arguments;
        this.layout = layout;
        this.client = client;
        this.dynamo = new Dynamo(client, RetrySettings.DEFAULTS, RequestListener.NONE, Clock.systemUTC());
    }

    static Tables open(Arguments arguments) {
        try {
            String name = arguments.option("--layout");
            Layout layout = name == null ? Layout.COMMITS : Layout.named(name);
            return new Tables(arguments, layout, Clients.connect(settings(arguments)));
        } catch (IllegalArgumentException e) {
            throw new Usage(String.valueOf(e.getMessage()));
        }
    }

    private static ClientSettings settings(Arguments arguments) {
        String endpoint = arguments.option("--endpoint");
        ClientSettings defaults = ClientSettings.forEndpoint(endpoint == null ? null : URI.create(endpoint));
        @Nullable String profile = arguments.option("--profile");
        return new ClientSettings(
                arguments.option("--region"),
                defaults.endpoint(),
                profile == null ? defaults.credentials() : new CredentialSource.Profile(profile),
                defaults.allowPlainHttp(),
                defaults.maxConnections(),
                defaults.connectTimeout(),
                defaults.acquireTimeout(),
                defaults.idleTimeout());
    }

    Dynamo dynamo() {
        return dynamo;
    }

    JournalLayout journal() {
        checkSettings();
        return made(() -> layout.journal(layoutSettings(layout.journalTableKey())));
    }

    SnapshotLayout snapshots() {
        checkSettings();
        return made(() -> layout.snapshots(layoutSettings(layout.snapshotTableKey())))
                .orElseThrow(() -> new Usage("layout " + layout.spelled() + " has no snapshots"));
    }

    private static <T> T made(Supplier<T> layout) {
        try {
            return layout.get();
        } catch (IllegalArgumentException e) {
            throw new Usage(String.valueOf(e.getMessage()));
        }
    }

    /** A misspelled setting would read another table, or the right one wrongly. Those of both tables are welcome. */
    private void checkSettings() {
        LayoutSettings settings = layoutSettings(layout.journalTableKey());
        made(() -> layout.journal(settings));
        made(() -> layout.snapshots(settings));
        if (!settings.unread().isEmpty()) {
            throw new Usage("layout " + layout.spelled() + " has no setting " + String.join(", ", settings.unread())
                    + "; it has "
                    + settings.known().stream().sorted().collect(Collectors.joining(", ")));
        }
    }

    private LayoutSettings layoutSettings(String tableKey) {
        Map<String, String> values = new HashMap<>(arguments.settings());
        String table = arguments.option("--table");
        if (table != null) {
            values.put(tableKey, table);
        }
        return new LayoutSettings(values);
    }

    @Override
    public void close() {
        client.close();
    }
}
