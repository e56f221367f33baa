package io.dynajournal.bench;

import io.dynajournal.bench.LoadProcess.Answer;
import io.dynajournal.bench.LoadProcess.Failed;
import io.dynajournal.bench.wire.CountingProxy;
import io.dynajournal.bench.wire.PriceList;
import io.dynajournal.bench.wire.StubServer;
import io.dynajournal.bench.wire.Upstream;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/**
 * A plugin in fresh tables and in a JVM of its own, which lives for the whole run: first on a server that answers at once, which
 * compiles what all workloads share, then on DynamoDB, which takes that server's place. Not thread-safe.
 */
final class Contestant implements AutoCloseable {

    /** In ids, where {@link io.dynajournal.bench.wire.RoundTrips} finds it; so are all groups. */
    private static final String ON_STUB = "g0";

    private static final String TENS_ON_STUB = "g00";

    private static final int RECONNECTS = 5;

    private final Plugin plugin;
    private final Scale scale;
    private final Tables tables;
    private final StubServer stub;
    private final LoadProcess load;
    private final Map<Workload, String> groups = new LinkedHashMap<>();
    private final Map<Workload, CompletableFuture<Answer>> prepared = new HashMap<>();
    private @Nullable Failed stubFailure;
    private @Nullable Stage stage;

    private Contestant(Plugin plugin, Scale scale, Tables tables, StubServer stub, LoadProcess load) {
        this.plugin = plugin;
        this.scale = scale;
        this.tables = tables;
        this.stub = stub;
        this.load = load;
    }

    /** Its JVM may take its time to be ready. */
    static Contestant start(Setup setup, Plugin plugin, Scale scale, DynamoDbAsyncClient admin) {
        Tables tables = Tables.create(admin, plugin);
        StubServer stub = StubServer.start();
        return new Contestant(plugin, scale, tables, stub, LoadProcess.start(setup, plugin, stub.endpoint(), tables));
    }

    Plugin plugin() {
        return plugin;
    }

    boolean can(Workload workload) {
        return plugin.keepsEvents() && (plugin.keepsSnapshots() || !workload.needsSnapshots());
    }

    /** On the stub. Entities that do not start would never answer, so nothing more is asked of them there. */
    void warmUp() {
        try {
            LoadProcess.await(load.start(ON_STUB, Workloads.STUB_ENTITIES));
            if (plugin.keepsEvents()) {
                LoadProcess.await(load.start(TENS_ON_STUB, Workloads.ENTITIES));
            }
            for (int i = 0; i < scale.warmUps(); i++) {
                writeOnStub(ON_STUB, "persist", 1);
                if (plugin.keepsEvents()) {
                    writeOnStub(TENS_ON_STUB, "persistAll", 10);
                }
                Quiet.await(scale.settling());
            }
        } catch (Failed e) {
            stubFailure = e;
        }
    }

    private void writeOnStub(String group, String how, int events) throws Failed {
        LoadProcess.await(load.write(group, how, scale.stubWarmUp(), events, Workloads.EVENT_BYTES));
    }

    Figures measureOnStub() {
        if (stubFailure != null) {
            return failed(stubFailure);
        }
        try {
            int each = load.writesIn(scale.turn(), ON_STUB, Workloads.STUB_ENTITIES, scale.stubWrites());
            Quiet.await(scale.settling());
            long before = stub.requests();
            Answer answer = LoadProcess.await(load.write(ON_STUB, "persist", each, 1, Workloads.EVENT_BYTES));
            return Tally.ofStub(answer, Workloads.STUB_ENTITIES, stub.requests() - before);
        } catch (Failed e) {
            return failed(e);
        }
    }

    /** From here on it works on DynamoDB; what it did on the stub is forgotten. */
    void moveTo(Upstream upstream, Supplier<Optional<Duration>> serverCpu) {
        ended(load.stop(ON_STUB)).join();
        ended(load.stop(TENS_ON_STUB)).join();
        stub.close();
        stage = new Stage(
                load,
                CountingProxy.to(upstream, stub.endpoint().getPort()),
                new PriceList(tables.specs()),
                serverCpu,
                scale.turn(),
                scale.settling());
        reconnect();
    }

    /** A client finds out that a connection of its pool is closed by a request that fails, for each of them anew. */
    private void reconnect() {
        for (int i = 0; i < RECONNECTS; i++) {
            CompletableFuture<Answer> empty = load.start(ON_STUB, Workloads.ENTITIES);
            ended(empty).thenCompose(started -> ended(load.stop(ON_STUB))).join();
            if (!empty.isCompletedExceptionally()) {
                return;
            }
        }
    }

    /** Begins to write long logs, which take few entities a long time. */
    void prepareAlong(List<Workload> workloads) {
        for (Workload workload : workloads) {
            groups.put(workload, "g" + (groups.size() + 1));
            if (workload.preparesAlong()) {
                prepared.put(workload, workload.prepare(load, group(workload)));
            }
        }
    }

    /** Writes what else must be there, one workload after another. */
    void prepare() {
        groups.forEach((workload, group) -> {
            if (!workload.preparesAlong()) {
                CompletableFuture<Answer> mine = workload.prepare(load, group);
                prepared.put(workload, mine);
                ended(mine).join();
                stage().proxy().take();
            }
        });
    }

    /** Waits for the long logs. */
    void finishPreparing() {
        prepared.values().forEach(each -> ended(each).join());
        stage().proxy().take();
    }

    Figures measure(Workload workload) {
        try {
            LoadProcess.await(Objects.requireNonNull(prepared.get(workload)));
            return workload.measure(stage(), group(workload));
        } catch (Failed e) {
            return failed(e);
        }
    }

    /** Leaves a workload, with what is measured of it but once. */
    Figures finish(Workload workload) {
        try {
            LoadProcess.await(Objects.requireNonNull(prepared.get(workload)));
            return workload.finish(stage(), group(workload));
        } catch (Failed e) {
            return failed(e);
        }
    }

    private Stage stage() {
        return Objects.requireNonNull(stage, "it is still on the stub");
    }

    private String group(Workload workload) {
        return Objects.requireNonNull(groups.get(workload));
    }

    private static Figures failed(Failed failure) {
        return Figures.failed(String.valueOf(failure.getMessage()));
    }

    /** Ends when another one ends, however that does. */
    private static CompletableFuture<Boolean> ended(CompletableFuture<?> other) {
        return other.handle((result, failure) -> true);
    }

    @Override
    public void close() {
        load.close();
        if (stage == null) {
            stub.close();
        } else {
            stage.proxy().close();
        }
        tables.close();
    }
}
