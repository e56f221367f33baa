package io.dynajournal.bench;

import io.dynajournal.bench.LoadProcess.Answer;
import io.dynajournal.bench.LoadProcess.Failed;
import io.dynajournal.bench.Plugin.Server;
import io.dynajournal.bench.wire.CloudServer;
import io.dynajournal.bench.wire.CostCalculator;
import io.dynajournal.bench.wire.CountingProxy;
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
 * A plugin with fresh tables and a JVM of its own, which lives for the whole run. The JVM starts on the stub, where it is warmed
 * up; then the simulated cloud, and finally the proxy to DynamoDB, take over the stub's port. Not thread-safe.
 */
final class PluginRun implements AutoCloseable {

    // Part of the persistence ids, where RoundTrips finds them; so are the groups of all workloads.
    private static final String STUB_GROUP = "g0";
    private static final String STUB_BATCH_GROUP = "g00";
    private static final String CLOUD_GROUP = "g000";

    private static final int RECONNECT_ATTEMPTS = 5;
    private static final int CLOUD_WARM_UP_RATE = 1_000;

    private final Plugin plugin;
    private final Scale scale;
    private final Tables tables;
    private final StubServer stub;
    private final LoadProcess load;
    private final Map<Workload, String> groups = new LinkedHashMap<>();
    private final Map<Workload, CompletableFuture<Answer>> prepared = new HashMap<>();
    private @Nullable Failed stubFailure;
    private @Nullable Failed cloudFailure;
    private @Nullable CloudServer cloud;
    private @Nullable LoadSession session;

    private PluginRun(Plugin plugin, Scale scale, Tables tables, StubServer stub, LoadProcess load) {
        this.plugin = plugin;
        this.scale = scale;
        this.tables = tables;
        this.stub = stub;
        this.load = load;
    }

    /** Does not wait until the JVM is ready. */
    static PluginRun start(Setup setup, Plugin plugin, Scale scale, DynamoDbAsyncClient admin) {
        Tables tables = Tables.create(admin, plugin);
        StubServer stub = StubServer.start();
        return new PluginRun(plugin, scale, tables, stub, LoadProcess.start(setup, plugin, stub.endpoint(), tables));
    }

    Plugin plugin() {
        return plugin;
    }

    boolean supports(Workload workload) {
        return plugin.runsOn(Server.DYNAMODB)
                && plugin.projects() == workload.needsProjections()
                && (plugin.savesSnapshots() || !workload.needsSnapshots());
    }

    /** Warms up on the stub. After a failure nothing is measured there: entities that did not start never answer. */
    void warmUp() {
        try {
            LoadProcess.await(load.start(STUB_GROUP, Workloads.STUB_ENTITIES));
            if (plugin.persistsAll()) {
                LoadProcess.await(load.start(STUB_BATCH_GROUP, Workloads.ENTITIES));
            }
            for (int i = 0; i < scale.warmUps(); i++) {
                writeOnStub(STUB_GROUP, "persist", 1);
                if (plugin.persistsAll()) {
                    writeOnStub(STUB_BATCH_GROUP, "persistAll", 10);
                }
                IdleProcesses.await(scale.settling());
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
            int each = load.writesIn(scale.turn(), STUB_GROUP, Workloads.STUB_ENTITIES, scale.stubWrites());
            IdleProcesses.await(scale.settling());
            long before = stub.requests();
            Answer answer = LoadProcess.await(load.write(STUB_GROUP, "persist", each, 1, Workloads.EVENT_BYTES));
            return FigureFactory.ofSimulation(answer, Workloads.STUB_ENTITIES, stub.requests() - before);
        } catch (Failed e) {
            return failed(e);
        }
    }

    /** Replaces the stub by the simulated cloud, and warms up there. */
    void moveToCloud(long seed) {
        leaveStub();
        cloud = CloudServer.start(stub.endpoint().getPort(), seed, tables.keyAttributes());
        reconnect();
        try {
            LoadProcess.await(load.start(CLOUD_GROUP, CloudWorkload.ENTITIES));
            LoadProcess.await(load.persistAtRate(CLOUD_GROUP, CLOUD_WARM_UP_RATE, scale.cloudTurn(), seed));
        } catch (Failed e) {
            cloudFailure = e;
        }
    }

    /** @param seed of the arrivals and of the server's latencies: the same for every plugin */
    Figures measureOnCloud(CloudWorkload workload, long seed) {
        if (cloudFailure != null) {
            return failed(cloudFailure);
        }
        try {
            CloudServer server = Objects.requireNonNull(cloud, "not on the simulated cloud");
            IdleProcesses.await(scale.settling());
            server.restartLatencies(seed);
            long before = server.requests();
            Answer answer =
                    LoadProcess.await(load.persistAtRate(CLOUD_GROUP, workload.perSecond(), scale.cloudTurn(), seed));
            return FigureFactory.ofSimulation(answer, CloudWorkload.ENTITIES, server.requests() - before);
        } catch (Failed e) {
            // Entities whose persist failed have stopped, so later turns would never end.
            cloudFailure = e;
            return failed(e);
        }
    }

    Figures measureStorm(int seed) {
        if (cloudFailure != null) {
            return failed(cloudFailure);
        }
        try {
            return StormWorkload.measure(load, Objects.requireNonNull(cloud, "not on the simulated cloud"), seed);
        } catch (Failed e) {
            cloudFailure = e;
            return failed(e);
        }
    }

    /** Replaces the simulated server by a proxy to DynamoDB. */
    void moveToDynamo(Upstream upstream, Supplier<Optional<Duration>> serverCpu) {
        if (cloud == null) {
            leaveStub();
        } else {
            ended(load.stop(CLOUD_GROUP)).join();
            cloud.close();
        }
        session = new LoadSession(
                load,
                CountingProxy.to(upstream, stub.endpoint().getPort()),
                new CostCalculator(tables.specs()),
                serverCpu,
                scale.turn(),
                scale.settling());
        reconnect();
    }

    private void leaveStub() {
        ended(load.stop(STUB_GROUP)).join();
        ended(load.stop(STUB_BATCH_GROUP)).join();
        stub.close();
    }

    /** Starts and stops entities until they recover: some clients notice a closed connection only when a request fails. */
    private void reconnect() {
        for (int i = 0; i < RECONNECT_ATTEMPTS; i++) {
            CompletableFuture<Answer> started = load.start(STUB_GROUP, Workloads.ENTITIES);
            ended(started).thenCompose(done -> ended(load.stop(STUB_GROUP))).join();
            if (!started.isCompletedExceptionally()) {
                return;
            }
        }
    }

    /** Begins to write long logs, which takes long for a few entities. */
    void prepareConcurrently(List<Workload> workloads) {
        for (Workload workload : workloads) {
            groups.put(workload, "g" + (groups.size() + 1));
            if (workload.preparesConcurrently()) {
                prepared.put(workload, workload.prepare(load, group(workload)));
            }
        }
    }

    /** Writes what the other workloads need, one workload after another. */
    void prepare() {
        groups.forEach((workload, group) -> {
            if (!workload.preparesConcurrently()) {
                CompletableFuture<Answer> preparation = workload.prepare(load, group);
                prepared.put(workload, preparation);
                ended(preparation).join();
                session().proxy().take();
            }
        });
    }

    /** Waits for the long logs. */
    void finishPreparing() {
        prepared.values().forEach(each -> ended(each).join());
        session().proxy().take();
    }

    Figures measure(Workload workload) {
        try {
            LoadProcess.await(Objects.requireNonNull(prepared.get(workload)));
            return workload.measure(session(), group(workload));
        } catch (Failed e) {
            return failed(e);
        }
    }

    /** Stops a workload's entities and returns the figures that are measured only once. */
    Figures finish(Workload workload) {
        try {
            LoadProcess.await(Objects.requireNonNull(prepared.get(workload)));
            return workload.finish(session(), group(workload));
        } catch (Failed e) {
            return failed(e);
        }
    }

    private LoadSession session() {
        return Objects.requireNonNull(session, "not connected to DynamoDB yet");
    }

    private String group(Workload workload) {
        return Objects.requireNonNull(groups.get(workload));
    }

    private static Figures failed(Failed failure) {
        return Figures.failed(String.valueOf(failure.getMessage()));
    }

    /** Completes normally when the other future completes, whether normally or not. */
    private static CompletableFuture<Boolean> ended(CompletableFuture<?> other) {
        return other.handle((result, failure) -> true);
    }

    @Override
    public void close() {
        load.close();
        stub.close();
        if (cloud != null) {
            cloud.close();
        }
        if (session != null) {
            session.proxy().close();
        }
        tables.close();
    }
}
