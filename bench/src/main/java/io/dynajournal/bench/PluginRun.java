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

/** One plugin through all workloads, once. */
final class PluginRun {

    private final Setup setup;
    private final Plugin plugin;
    private final Scale scale;

    PluginRun(Setup setup, Plugin plugin, Scale scale) {
        this.setup = setup;
        this.plugin = plugin;
        this.scale = scale;
    }

    /** On DynamoDB, in fresh tables. */
    Map<String, Figures> onDynamo(Upstream upstream, DynamoDbAsyncClient admin, List<Workload> workloads) {
        List<Workload> possible = workloads.stream()
                .filter(workload -> plugin.keepsEvents() && (plugin.keepsSnapshots() || !workload.needsSnapshots()))
                .toList();
        if (possible.isEmpty()) {
            return Map.of();
        }
        try (Tables tables = Tables.create(admin, plugin);
                CountingProxy proxy = CountingProxy.to(upstream);
                LoadProcess load = LoadProcess.start(setup, plugin, proxy.endpoint(), tables, true)) {
            return measured(new Stage(load, proxy, new PriceList(tables.specs())), possible);
        }
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
        CompletableFuture<?> before = settled(warmUp(scale).prepare(stage.load(), group(workloads.size())));
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

    /** So that the JVM has compiled what all workloads share, however few were chosen. */
    private static Workload warmUp(Scale scale) {
        return new Recovering(
                "warm-up", Workloads.ENTITIES, List.of(new Recovering.Events("persist", scale.warmUp(), 1)), false);
    }

    /** In ids, where {@link io.dynajournal.bench.wire.RoundTrips} finds it. */
    private static String group(int number) {
        return "g" + number;
    }

    /** On a server that answers at once. */
    Figures onStub(DynamoDbAsyncClient admin) {
        Plugin unkept = new Plugin(
                plugin.name(), plugin.module(), plugin.configuration(), null, plugin.role(), plugin.settings());
        try (StubServer stub = StubServer.start();
                Tables none = Tables.create(admin, unkept);
                LoadProcess load = LoadProcess.start(setup, plugin, stub.endpoint(), none, false)) {
            String group = group(0);
            LoadProcess.await(load.start(group, Workloads.STUB_ENTITIES));
            LoadProcess.await(load.write(group, "persist", scale.stubWarmUp(), 1, Workloads.EVENT_BYTES));
            long before = stub.requests();
            Answer answer =
                    LoadProcess.await(load.write(group, "persist", scale.stubWrites(), 1, Workloads.EVENT_BYTES));
            return Tally.ofStub(answer, Workloads.STUB_ENTITIES, stub.requests() - before);
        } catch (Failed e) {
            return Figures.failed(String.valueOf(e.getMessage()));
        }
    }
}
