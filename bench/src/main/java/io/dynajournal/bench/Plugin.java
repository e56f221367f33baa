package io.dynajournal.bench;

import io.dynajournal.catalog.Layout;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is compared.
 *
 * @param module the directory in {@code tests/peers} whose class path it has
 * @param configuration a file there; null for the AWS client alone
 * @param layout of its tables; null for one that runs on the stub only
 * @param role what it stands for in the comparison
 * @param settings more than the configuration says
 */
record Plugin(
        String name,
        String module,
        @Nullable String configuration,
        @Nullable Layout layout,
        Role role,
        Map<String, String> settings) {

    enum Role {
        OURS,
        /** Ours with other settings or on the other toolkit. */
        VARIANT,
        /** Ours in a predecessor's tables. */
        DROP_IN,
        PEER,
        /** No journal, but what a journal cannot be cheaper than. */
        FLOOR
    }

    static final String NATIVE = "dynajournal";
    /** The native layout without group commit. */
    static final String SINGLE_PUTS = "dynajournal-single-puts";

    /** The toolkit without DynamoDB. */
    static final String TOOLKIT = "toolkit-only";

    private static final Map<String, String> PLAIN = Map.of("load.indexes", "off");

    private static final List<Plugin> ALL = List.of(
            // Without the indexes for queries, which the peers on Akka 1.x' tables do not have either.
            new Plugin(NATIVE, "ours-akka", "load-dynajournal", Layout.COMMITS, Role.OURS, PLAIN),
            // On the stub alone, for the client's own cost.
            new Plugin(
                    SINGLE_PUTS,
                    "ours-akka",
                    "load-dynajournal",
                    null,
                    Role.OURS,
                    Map.of("load.indexes", "off", "dynajournal.client.group-commit", "off")),
            new Plugin(
                    "dynajournal-indexed",
                    "ours-akka",
                    "load-dynajournal",
                    Layout.COMMITS,
                    Role.VARIANT,
                    Map.of("load.indexes", "on")),
            new Plugin("dynajournal-pekko", "ours-pekko", "load-dynajournal", Layout.COMMITS, Role.VARIANT, PLAIN),
            new Plugin("dynajournal-akka1", "ours-akka", "load-v1", Layout.AKKA1, Role.DROP_IN, Map.of()),
            new Plugin("dynajournal-akka2", "ours-akka", "load-akka2", Layout.AKKA2, Role.DROP_IN, Map.of()),
            new Plugin("dynajournal-j5ik2o", "ours-akka", "load-j5ik2o", Layout.J5IK2O, Role.DROP_IN, Map.of()),
            new Plugin("dynajournal-sclasen", "ours-akka", "load-sclasen", Layout.SCLASEN, Role.DROP_IN, Map.of()),
            new Plugin("pekko-1.1.0", "pekko1", "load-v1", Layout.AKKA1, Role.PEER, Map.of()),
            new Plugin("j5ik2o-1.16.492", "j5ik2o", "load-j5ik2o", Layout.J5IK2O, Role.PEER, Map.of()),
            new Plugin("akka-1.3.0", "akka1", "load-v1", Layout.AKKA1, Role.PEER, Map.of()),
            new Plugin("bare-sdk", "ours-akka", null, null, Role.FLOOR, Map.of()),
            // Beside bare-sdk and dynajournal-single-puts, which go over the AWS CRT.
            new Plugin("bare-sdk-netty", "ours-akka", null, null, Role.FLOOR, Map.of("load.carrier", "NETTY")),
            new Plugin(
                    "dynajournal-netty",
                    "ours-akka",
                    "load-dynajournal",
                    null,
                    Role.OURS,
                    Map.of(
                            "load.indexes",
                            "off",
                            "dynajournal.client.group-commit",
                            "off",
                            "dynajournal.client.http-client",
                            "netty")),
            new Plugin(TOOLKIT, "ours-akka", "load-inmem", null, Role.FLOOR, Map.of()));

    /** All of them, or those of these names. */
    static List<Plugin> named(List<String> names) {
        if (names.isEmpty()) {
            return ALL;
        }
        List<Plugin> chosen = new ArrayList<>();
        for (String name : names) {
            chosen.add(ALL.stream()
                    .filter(plugin -> plugin.name().equals(name))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("There is no plugin " + name + "; there are "
                            + ALL.stream().map(Plugin::name).toList())));
        }
        return chosen;
    }

    /** Those that a quick run compares. */
    static List<String> quick() {
        return List.of(NATIVE, SINGLE_PUTS, "pekko-1.1.0", "j5ik2o-1.16.492", "akka-1.3.0", "bare-sdk", TOOLKIT);
    }

    boolean keepsEvents() {
        return layout != null;
    }

    boolean keepsSnapshots() {
        return layout != null && layout != Layout.SCLASEN;
    }
}
