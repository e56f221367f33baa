package io.dynajournal;

import akka.actor.ExtendedActorSystem;
import akka.serialization.AsyncSerializerWithStringManifestCS;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;

/** Answers from another thread, the shorter the text the later, so that keeping the order takes care. */
public final class LaterSerializer extends AsyncSerializerWithStringManifestCS {

    private static final Map<String, CompletableFuture<Void>> HELD = new ConcurrentHashMap<>();

    /** Serializes this text only after the stage is done. */
    static void hold(String text, CompletableFuture<Void> release) {
        HELD.put(text, release);
    }

    public LaterSerializer(ExtendedActorSystem system) {
        super(system);
    }

    @Override
    public int identifier() {
        return 7001;
    }

    @Override
    public String manifest(Object object) {
        return "later";
    }

    @Override
    public CompletionStage<byte[]> toBinaryAsyncCS(Object object) {
        String text = ((Later) object).text();
        return HELD.getOrDefault(text, CompletableFuture.completedFuture(null))
                .thenApplyAsync(released -> text.getBytes(StandardCharsets.UTF_8), after(text));
    }

    @Override
    public CompletionStage<Object> fromBinaryAsyncCS(byte[] bytes, String manifest) {
        String text = new String(bytes, StandardCharsets.UTF_8);
        return CompletableFuture.supplyAsync(() -> new Later(text), after(text));
    }

    private static Executor after(String text) {
        return CompletableFuture.delayedExecutor(
                Math.max(0, 40 - 4L * text.length()), TimeUnit.MILLISECONDS, ForkJoinPool.commonPool());
    }
}
