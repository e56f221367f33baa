package io.dynajournal.bench;

import io.dynajournal.bench.report.DocumentSection;
import io.dynajournal.bench.wire.Upstream;
import io.dynajournal.internal.dynamo.ClientSettings;
import io.dynajournal.internal.dynamo.Clients;
import io.dynajournal.local.DynamoLocal;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Supplier;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/** The command {@code bench/compare}. */
final class Compare {

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
                arguments.jvm(),
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
                run(Upstream.local(server.endpoint()), cpuOf(server), ClientSettings.forEndpoint(server.endpoint()));
            }
        } else {
            URI endpoint = URI.create("https://dynamodb." + region + ".amazonaws.com");
            run(Upstream.aws(region), Optional::empty, ClientSettings.forEndpoint(endpoint));
        }
        Report report = new Report(results, about());
        report.write(setup.results());
        if (arguments.documented()) {
            document("compare", report.comparison());
            document("projections", report.projections());
        }
        System.out.println(report.markdown());
        progress("done; " + setup.results().resolve("latest.json"));
    }

    /** A run without projections, or of nothing else, leaves the other section as it is. */
    private void document(String section, String text) throws IOException {
        if (!text.isEmpty()) {
            DocumentSection.replace(setup.document(), section, text + "\n");
        }
    }

    private static Supplier<Optional<Duration>> cpuOf(DynamoLocal server) {
        return () ->
                ProcessHandle.of(server.pid()).flatMap(process -> process.info().totalCpuDuration());
    }

    private void run(Upstream upstream, Supplier<Optional<Duration>> serverCpu, ClientSettings settings) {
        Scale scale = arguments.quick() ? Scale.QUICK : Scale.FULL;
        try (DynamoDbAsyncClient admin = Clients.open(settings);
                Comparison comparison =
                        new Comparison(results, arguments.rounds(), new Random(arguments.seed()), this::progress)) {
            plugins.forEach(plugin -> comparison.add(setup, plugin, scale, admin));
            comparison.onStub(arguments.wants(Workloads.STUB, true));
            List<CloudWorkload> cloudWorkloads = cloudWorkloads();
            boolean storm = arguments.wants(StormWorkload.NAME, false);
            if (storm || !cloudWorkloads.isEmpty()) {
                comparison.onCloud(cloudWorkloads, arguments.quick() ? 1 : arguments.rounds(), storm);
            }
            List<Workload> workloads = workloads(scale);
            if (!workloads.isEmpty()) {
                comparison.onDynamo(upstream, serverCpu, workloads);
            }
        }
    }

    private List<Workload> workloads(Scale scale) {
        return Workloads.on(scale).stream()
                .filter(workload -> arguments.wants(workload.name(), workload.isQuick()))
                .toList();
    }

    private List<CloudWorkload> cloudWorkloads() {
        return CloudWorkload.all().stream()
                .filter(workload -> arguments.wants(workload.name(), workload.isQuick()))
                .toList();
    }

    private void progress(String what) {
        System.err.printf("%4d s  %s%n", (System.nanoTime() - begin) / 1_000_000_000, what);
    }

    private Map<String, Object> about() {
        Map<String, Object> about = new LinkedHashMap<>();
        about.put("quick", arguments.quick());
        about.put("rounds", arguments.rounds());
        about.put("seed", arguments.seed());
        about.put("server", arguments.region() == null ? "DynamoDB Local" : "DynamoDB in " + arguments.region());
        about.put("java", Runtime.version().toString());
        about.put("processors", Runtime.getRuntime().availableProcessors());
        about.put("seconds", (System.nanoTime() - begin) / 1_000_000_000);
        return about;
    }
}
