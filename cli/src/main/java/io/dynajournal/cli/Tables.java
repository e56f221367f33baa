package io.dynajournal.cli;

import io.dynajournal.internal.catalog.Layout;
import io.dynajournal.internal.dynamo.AwsClient;
import io.dynajournal.internal.dynamo.ClientSettings;
import io.dynajournal.internal.dynamo.Clients;
import io.dynajournal.internal.dynamo.CredentialSource;
import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.dynamo.RetrySettings;
import io.dynajournal.internal.layout.JournalLayout;
import io.dynajournal.internal.layout.LayoutSettings;
import io.dynajournal.internal.layout.SnapshotLayout;
import io.dynajournal.listener.RequestListener;
import java.net.URI;
import java.time.Clock;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The tables that a command line selects, and the client for them. */
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
                profile == null ? defaults.credentials() : CredentialSource.profile(profile),
                defaults.allowPlainHttp(),
                defaults.maxConcurrency(),
                defaults.connectTimeout(),
                defaults.connectionAcquisitionTimeout(),
                defaults.idleTimeout());
    }

    Dynamo dynamo() {
        return dynamo;
    }

    JournalLayout journal() {
        checkSettings();
        return created(() -> layout.journal(layoutSettings(layout.journalTableKey())));
    }

    SnapshotLayout snapshots() {
        checkSettings();
        return created(() -> layout.snapshots(layoutSettings(layout.snapshotTableKey())))
                .orElseThrow(() -> new Usage("layout " + layout.spelled() + " has no snapshots"));
    }

    private static <T> T created(Supplier<T> layout) {
        try {
            return layout.get();
        } catch (IllegalArgumentException e) {
            throw new Usage(String.valueOf(e.getMessage()));
        }
    }

    /** Rejects a misspelled setting, which would read a wrong table. The settings of both tables are accepted. */
    private void checkSettings() {
        LayoutSettings settings = layoutSettings(layout.journalTableKey());
        created(() -> layout.journal(settings));
        created(() -> layout.snapshots(settings));
        if (!settings.unread().isEmpty()) {
            throw new Usage("layout " + layout.spelled() + " has no setting " + String.join(", ", settings.unread())
                    + "; its settings are "
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
