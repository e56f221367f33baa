package io.dynajournal;

import akka.actor.ActorSystem;
import akka.actor.BootstrapSetup;
import akka.actor.setup.ActorSystemSetup;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.dynajournal.local.EmbeddedDynamoLocal;
import io.dynajournal.testkit.FaultProxy;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Starts actor systems on the embedded server for a test, and stops them after it. */
final class Systems implements AfterEachCallback {

    private final List<ActorSystem> started = new CopyOnWriteArrayList<>();

    /** An id that no other test has, because all share the default tables. */
    static String freshId() {
        return "Ledger|" + UUID.randomUUID();
    }

    static Config settings(String overrides) {
        return ConfigFactory.load(
                ConfigFactory.parseString(overrides).withFallback(ConfigFactory.parseResources("entities.conf")));
    }

    /** A proxy before the embedded server. */
    static FaultProxy proxy() {
        return FaultProxy.to(new EmbeddedDynamoLocal().start(null));
    }

    /** Settings that send all requests through a proxy. */
    static String through(FaultProxy proxy) {
        return "dynajournal { client.endpoint = \"" + proxy.endpoint() + "\""
                + ", journal.create-tables = on, snapshot.create-tables = on }";
    }

    ActorSystem start() {
        return start("");
    }

    ActorSystem start(String overrides) {
        return start(overrides, DynajournalSetup.create());
    }

    ActorSystem start(String overrides, DynajournalSetup setup) {
        ActorSystem system =
                ActorSystem.create("test", ActorSystemSetup.create(BootstrapSetup.create(settings(overrides)), setup));
        started.add(system);
        return system;
    }

    /** With nothing but these settings. */
    ActorSystem start(Config settings) {
        ActorSystem system = ActorSystem.create("test", settings);
        started.add(system);
        return system;
    }

    void stop(ActorSystem system) {
        system.terminate();
        system.getWhenTerminated()
                .toCompletableFuture()
                .orTimeout(30, TimeUnit.SECONDS)
                .join();
    }

    @Override
    public void afterEach(ExtensionContext context) {
        started.forEach(ActorSystem::terminate);
        CompletableFuture.allOf(started.stream()
                        .map(system -> system.getWhenTerminated().toCompletableFuture())
                        .toArray(CompletableFuture<?>[]::new))
                .orTimeout(30, TimeUnit.SECONDS)
                .join();
    }
}
