package io.dynajournal.bench;

import io.dynajournal.bench.report.Section;
import io.dynajournal.bench.wire.Upstream;
import io.dynajournal.dynamo.ClientSettings;
import io.dynajournal.dynamo.Clients;
import io.dynajournal.local.DynamoLocal;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/** The command {@code bench/compare}. */
final class Compare {

    private static final List<String> WARM_UP = List.of("persist-one", "persist-all-10", "recover-50");

    private final CompareArguments arguments;
    private final Setup setup;
    private final List<Plugin> plugins;
    private final Results results;
    private final long begin = System.nanoTime();

    private Compare(CompareArguments arguments, Path root) {
        this.arguments = arguments;
        Path bench = root.resolve("bench");
        this.setup = new Setup(
                root.resolve("tests/peers"),
                bench.resolve("target"),
                bench.resolve("results"),
                root.resolve("docs/performance.md"),
                arguments.javaOptions(),
                arguments.recording());
        this.plugins =
                Plugin.named(arguments.plugins().isEmpty() && arguments.quick() ? Plugin.quick() : arguments.plugins());
        this.results = new Results(plugins);
    }

    public static void main(String[] args) throws IOException {
        CompareArguments arguments;
        try {
            arguments = CompareArguments.of(List.of(args));
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage());
            System.err.println(CompareArguments.USAGE);
            System.exit(2);
            return;
        }
        new Compare(arguments, Path.of(System.getProperty("bench.root"))).run();
        System.exit(0);
    }

    private void run() throws IOException {
        for (Plugin plugin : plugins) {
            Files.deleteIfExists(setup.log(plugin.name()));
        }
        System.err.println("seed " + arguments.seed());
        String region = arguments.region();
        if (region == null) {
            try (DynamoLocal server = DynamoLocal.inMemory()) {
                run(Upstream.local(server.endpoint()), ClientSettings.forEndpoint(server.endpoint()));
            }
        } else {
            URI endpoint = URI.create("https://dynamodb." + region + ".amazonaws.com");
            run(Upstream.aws(region), ClientSettings.forEndpoint(endpoint));
        }
        Report report = new Report(results, about());
        report.write(setup.results());
        if (arguments.documented()) {
            Section.replace(setup.document(), "compare", report.markdown() + "\n");
        }
        System.out.println(report.markdown());
        progress("done; " + setup.results().resolve("latest.json"));
    }

    private void run(Upstream upstream, ClientSettings settings) {
        Random random = new Random(arguments.seed());
        try (DynamoDbAsyncClient admin = Clients.open(settings)) {
            if (!arguments.quick()) {
                warmUp(upstream, admin);
            }
            for (int repetition = 1; repetition <= arguments.repetitions(); repetition++) {
                List<Plugin> order = new ArrayList<>(plugins);
                Collections.shuffle(order, random);
                for (Plugin plugin : order) {
                    if (repetition == 1 || isRepeated(plugin)) {
                        progress("run " + repetition + " of " + arguments.repetitions() + ": " + plugin.name());
                        run(plugin, repetition, upstream, admin);
                    }
                }
            }
        }
    }

    /** The server, the proxy and the stub are compiled too: else the first plugin would wait for that. */
    private void warmUp(Upstream upstream, DynamoDbAsyncClient admin) {
        List<Workload> some = Workloads.on(Scale.QUICK).stream()
                .filter(workload -> WARM_UP.contains(workload.name()))
                .toList();
        progress("warm-up, which is not measured");
        new PluginRun(setup, Plugin.named(List.of(Plugin.NATIVE)).get(0), Scale.QUICK)
                .measure(upstream, admin, some, true);
    }

    /** What is only shown beside is measured once, unless it was asked for by name. */
    private boolean isRepeated(Plugin plugin) {
        return plugin.isCompared() || !arguments.plugins().isEmpty();
    }

    private void run(Plugin plugin, int repetition, Upstream upstream, DynamoDbAsyncClient admin) {
        Scale scale = scale(plugin);
        List<Workload> workloads = Workloads.on(scale).stream()
                .filter(workload -> arguments.wants(workload.name()))
                .filter(workload -> !arguments.quick() || !arguments.workloads().isEmpty() || workload.isQuick())
                .filter(workload -> repetition == 1 || !workload.isOnce())
                .toList();
        new PluginRun(setup, plugin, scale)
                .measure(upstream, admin, workloads, arguments.wants(Workloads.STUB))
                .forEach((workload, figures) -> results.add(workload, plugin, figures));
    }

    private Scale scale(Plugin plugin) {
        if (arguments.quick()) {
            return Scale.QUICK;
        }
        return plugin.isCompared() ? Scale.FULL : Scale.ASIDE;
    }

    private void progress(String what) {
        System.err.printf("%4d s  %s%n", (System.nanoTime() - begin) / 1_000_000_000, what);
    }

    private Map<String, Object> about() {
        Map<String, Object> about = new LinkedHashMap<>();
        about.put("quick", arguments.quick());
        about.put("repetitions", arguments.repetitions());
        about.put("seed", arguments.seed());
        about.put("server", arguments.region() == null ? "DynamoDB Local" : "DynamoDB in " + arguments.region());
        about.put("java", Runtime.version().toString());
        about.put("processors", Runtime.getRuntime().availableProcessors());
        about.put("seconds", (System.nanoTime() - begin) / 1_000_000_000);
        return about;
    }
}
