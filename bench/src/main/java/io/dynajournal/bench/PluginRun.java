package io.dynajournal.bench;

import io.dynajournal.bench.LoadProcess.Answer;
import io.dynajournal.bench.LoadProcess.Failed;
import io.dynajournal.bench.wire.CountingProxy;
import io.dynajournal.bench.wire.PriceList;
import io.dynajournal.bench.wire.StubServer;
import io.dynajournal.bench.wire.Upstream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/**
 * One plugin through all workloads, once, in one JVM: first on a server that answers at once, which compiles what all
 * workloads share, then on DynamoDB, which takes that server's place.
 */
final class PluginRun {

    private final Setup setup;
    private final Plugin plugin;
    private final Scale scale;

    PluginRun(Setup setup, Plugin plugin, Scale scale) {
        this.setup = setup;
        this.plugin = plugin;
        this.scale = scale;
    }

    /** In fresh tables. What the plugin cannot do is left out. */
    Map<String, Figures> measure(
            Upstream upstream, DynamoDbAsyncClient admin, List<Workload> workloads, boolean onStub) {
        List<Workload> possible = workloads.stream()
                .filter(workload -> plugin.keepsEvents() && (plugin.keepsSnapshots() || !workload.needsSnapshots()))
                .toList();
        if (possible.isEmpty() && !onStub) {
            return Map.of();
        }
        StubServer stub = StubServer.start();
        Map<String, Figures> figures = new LinkedHashMap<>();
        try (Tables tables = Tables.create(admin, plugin);
                LoadProcess load = LoadProcess.start(setup, plugin, stub.endpoint(), tables)) {
            try (stub) {
                Figures alone = onStub(stub, load, group(possible.size()));
                if (onStub) {
                    figures.put(Workloads.STUB, alone);
                }
                if (!possible.isEmpty()) {
                    settled(warmUpGroups().prepare(load, group(possible.size() + 1)))
                            .join();
                }
            }
            if (!possible.isEmpty()) {
                try (CountingProxy proxy =
                        CountingProxy.to(upstream, stub.endpoint().getPort())) {
                    figures.putAll(measured(
                            new Stage(load, proxy, new PriceList(tables.specs()), scale.settling()), possible));
                }
            }
        }
        return figures;
    }

    private Figures onStub(StubServer stub, LoadProcess load, String group) {
        try {
            LoadProcess.await(load.start(group, Workloads.STUB_ENTITIES));
            for (int i = 0; i < scale.warmUps(); i++) {
                LoadProcess.await(load.write(group, "persist", scale.stubWarmUp(), 1, Workloads.EVENT_BYTES));
                LoadProcess.await(load.settle(scale.settling()));
            }
            long before = stub.requests();
            Answer answer =
                    LoadProcess.await(load.write(group, "persist", scale.stubWrites(), 1, Workloads.EVENT_BYTES));
            long requests = stub.requests() - before;
            LoadProcess.await(load.stop(group));
            return Tally.ofStub(answer, Workloads.STUB_ENTITIES, requests);
        } catch (Failed e) {
            return Figures.failed(String.valueOf(e.getMessage()));
        }
    }

    /** What the workload of the stub leaves cold. A failure comes again where this is measured. */
    private Workload warmUpGroups() {
        return new Recovering(
                "warm-up", Workloads.ENTITIES, List.of(new Recovering.Events("persistAll", scale.groups(), 10)), 0);
    }

    private Map<String, Figures> measured(Stage stage, List<Workload> workloads) {
        List<CompletableFuture<Answer>> prepared = prepared(stage, workloads);
        Map<String, Figures> figures = new LinkedHashMap<>();
        for (int i = 0; i < workloads.size(); i++) {
            Workload workload = workloads.get(i);
            try {
                LoadProcess.await(prepared.get(i));
                figures.put(workload.name(), workload.measure(stage, group(i)));
            } catch (Failed e) {
                figures.put(workload.name(), Figures.failed(String.valueOf(e.getMessage())));
            }
        }
        return figures;
    }

    /** Long logs are written while all else is, one workload after another; what is measured has the machine for itself. */
    private List<CompletableFuture<Answer>> prepared(Stage stage, List<Workload> workloads) {
        List<CompletableFuture<Answer>> prepared = new ArrayList<>();
        CompletableFuture<?> before = CompletableFuture.completedFuture(true);
        for (int i = 0; i < workloads.size(); i++) {
            Workload workload = workloads.get(i);
            String group = group(i);
            CompletableFuture<Answer> mine = workload.preparesAlong()
                    ? workload.prepare(stage.load(), group)
                    : before.thenCompose(turn -> workload.prepare(stage.load(), group));
            prepared.add(mine);
            before = workload.preparesAlong() ? before : settled(mine);
        }
        settled(CompletableFuture.allOf(prepared.toArray(CompletableFuture[]::new)))
                .join();
        before.join();
        return prepared;
    }

    /** Ends when another one ends, however that does. */
    private static CompletableFuture<Boolean> settled(CompletableFuture<?> other) {
        return other.handle((result, failure) -> true);
    }

    /** In ids, where {@link io.dynajournal.bench.wire.RoundTrips} finds it. */
    private static String group(int number) {
        return "g" + number;
    }
}
