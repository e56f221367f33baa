package io.dynajournal.bench;

import io.dynajournal.internal.catalog.Layout;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A row of the comparison: a plugin with a configuration, or a baseline.
 *
 * @param module the directory in {@code tests/peers} whose class path it has
 * @param configuration a file there; null for the AWS client alone
 * @param layout of its tables; null if it uses no tables
 * @param role in the comparison
 * @param servers that it is measured on
 * @param settings in addition to the configuration, such as {@code load.indexes=off}
 */
record Plugin(
        String name,
        String module,
        @Nullable String configuration,
        @Nullable Layout layout,
        Role role,
        Set<Server> servers,
        List<String> settings) {

    enum Role {
        /** Dynajournal with its native layout. */
        OURS,
        /** Dynajournal in a predecessor's tables. */
        DROP_IN,
        PEER,
        /** Not a journal: the part of the cost that no plugin can avoid. */
        BASELINE
    }

    enum Server {
        /** Answers immediately. */
        STUB,
        /** Answers with the latencies of DynamoDB. */
        CLOUD,
        /** DynamoDB Local, or DynamoDB itself. */
        DYNAMODB
    }

    /** Begins the name of every row that is Dynajournal. */
    static final String PREFIX = "dynajournal";
    /** The default configuration, with both indexes. */
    static final String DEFAULT = "dynajournal-indexed";
    /** Without the indexes for queries, which the 1.x plugins do not have either. */
    static final String NO_INDEX = "dynajournal";
    /** The default configuration without group commit. */
    static final String SINGLE_PUTS = "dynajournal-single-puts";
    /** The default configuration with hand-written requests instead of the AWS SDK's. */
    static final String DIRECT = "dynajournal-direct";

    static final String DIRECT_SINGLE_PUTS = "dynajournal-direct-single-puts";
    /** The AWS client alone. */
    static final String BARE_SDK = "bare-sdk";
    /** The toolkit without DynamoDB. */
    static final String TOOLKIT = "toolkit-only";

    private static final String INDEXES = "load.indexes=on";
    private static final String NO_INDEXES = "load.indexes=off";
    private static final String NO_GROUPS = "dynajournal.client.group-commit=off";
    private static final String DIRECT_REQUESTS = "dynajournal.client.direct=on";
    private static final String NETTY = "dynajournal.client.http.client=netty";
    /** Its journal fails for good when its queue of 512 writes is full. */
    private static final String J5IK2O_LIMIT = "load.max-in-flight=256";

    private static final Set<Server> EVERYWHERE = EnumSet.allOf(Server.class);
    private static final Set<Server> SIMULATED = EnumSet.of(Server.STUB, Server.CLOUD);
    private static final Set<Server> STUB_ONLY = EnumSet.of(Server.STUB);
    /** The simulated cloud charges nothing and knows no layouts, so it would show the same as for the default configuration. */
    private static final Set<Server> NOT_CLOUD = EnumSet.of(Server.STUB, Server.DYNAMODB);

    private static final Set<Server> DYNAMODB_ONLY = EnumSet.of(Server.DYNAMODB);
    private static final String PROJECTIONS = "ours-projection";

    private static final List<Plugin> ALL = List.of(
            ours(DEFAULT, "ours-akka", EVERYWHERE, INDEXES),
            ours(NO_INDEX, "ours-akka", NOT_CLOUD, NO_INDEXES),
            ours(SINGLE_PUTS, "ours-akka", SIMULATED, INDEXES, NO_GROUPS),
            ours(DIRECT, "ours-direct", SIMULATED, INDEXES, DIRECT_REQUESTS),
            ours(DIRECT_SINGLE_PUTS, "ours-direct", STUB_ONLY, INDEXES, DIRECT_REQUESTS, NO_GROUPS),
            ours("dynajournal-pekko", "ours-pekko", EVERYWHERE, INDEXES),
            projection("dynajournal-projection", "timestamp-offset"),
            projection("dynajournal-projection-packed", "packed"),
            dropIn("dynajournal-akka1", "load-v1", Layout.AKKA1),
            dropIn("dynajournal-akka2", "load-akka2", Layout.AKKA2),
            dropIn("dynajournal-j5ik2o", "load-j5ik2o", Layout.J5IK2O),
            dropIn("dynajournal-sclasen", "load-sclasen", Layout.SCLASEN),
            peer("pekko-1.1.0", "pekko1", "load-v1", Layout.AKKA1),
            peer("j5ik2o-1.16.492", "j5ik2o", "load-j5ik2o", Layout.J5IK2O, J5IK2O_LIMIT),
            peer("akka-1.3.0", "akka1", "load-v1", Layout.AKKA1),
            new Plugin(BARE_SDK, "ours-akka", null, Layout.COMMITS, Role.BASELINE, SIMULATED, List.of()),
            new Plugin(
                    "bare-sdk-netty",
                    "ours-akka",
                    null,
                    Layout.COMMITS,
                    Role.BASELINE,
                    STUB_ONLY,
                    List.of("load.http-client=NETTY")),
            ours("dynajournal-netty", "ours-akka", STUB_ONLY, INDEXES, NO_GROUPS, NETTY),
            new Plugin(TOOLKIT, "ours-akka", "load-inmem", null, Role.BASELINE, STUB_ONLY, List.of()));

    private static Plugin ours(String name, String module, Set<Server> servers, String... settings) {
        return new Plugin(name, module, "load-dynajournal", Layout.COMMITS, Role.OURS, servers, List.of(settings));
    }

    private static Plugin projection(String name, String layout) {
        return new Plugin(
                name,
                PROJECTIONS,
                "load-projection",
                Layout.COMMITS,
                Role.OURS,
                DYNAMODB_ONLY,
                List.of(INDEXES, "load.offset-layout=" + layout));
    }

    private static Plugin dropIn(String name, String configuration, Layout layout) {
        return new Plugin(name, "ours-akka", configuration, layout, Role.DROP_IN, NOT_CLOUD, List.of());
    }

    private static Plugin peer(String name, String module, String configuration, Layout layout, String... settings) {
        return new Plugin(name, module, configuration, layout, Role.PEER, EVERYWHERE, List.of(settings));
    }

    /** All plugins, or those with the given names. */
    static List<Plugin> named(List<String> names) {
        if (names.isEmpty()) {
            return ALL;
        }
        List<Plugin> chosen = new ArrayList<>();
        for (String name : names) {
            chosen.add(ALL.stream()
                    .filter(plugin -> plugin.name().equals(name))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("Unknown plugin " + name + "; known are "
                            + ALL.stream().map(Plugin::name).toList())));
        }
        return chosen;
    }

    /** The names of those that a quick run compares. */
    static List<String> quick() {
        return List.of(
                DEFAULT, NO_INDEX, SINGLE_PUTS, "pekko-1.1.0", "j5ik2o-1.16.492", "akka-1.3.0", BARE_SDK, TOOLKIT);
    }

    boolean runsOn(Server server) {
        return servers.contains(server);
    }

    /** Whether it is measured by projections, and by nothing else. */
    boolean projects() {
        return module.equals(PROJECTIONS);
    }

    boolean hasIndexes() {
        return !settings.contains(NO_INDEXES);
    }

    /** Whether it can persist several events in one write; the AWS client alone cannot. */
    boolean persistsAll() {
        return runsOn(Server.DYNAMODB);
    }

    boolean savesSnapshots() {
        return runsOn(Server.DYNAMODB) && layout != Layout.SCLASEN;
    }
}
