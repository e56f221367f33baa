package io.dynajournal.peers.load;

import akka.actor.ActorRef;
import akka.actor.ActorSystem;
import akka.pattern.Patterns;
import com.typesafe.config.ConfigFactory;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;

/** Entities of the toolkit. Argument: the name of the configuration. */
class LoadMain implements Load {

    /** Entities of a group that write concurrently: j5ik2o's journal fails when its queue of 512 writes is full. */
    private static final int MAX_CONCURRENT = 256;

    private final ActorSystem system;
    private final Map<String, List<ActorRef>> groups = new HashMap<>();

    LoadMain(ActorSystem system) {
        this.system = system;
    }

    public static void main(String[] args) throws Exception {
        Commands.serve(() -> new LoadMain(ActorSystem.create("load", ConfigFactory.load(args[0]))));
    }

    @Override
    public void start(String group, int entities, Measurement measurement) {
        groups.put(
                group,
                IntStream.range(0, entities)
                        .mapToObj(number -> system.actorOf(LoadEntity.props(persistenceId(group, number), measurement)))
                        .toList());
    }

    /** The benchmark's proxy assigns requests to entities by this pattern. */
    static String id(String group, int number) {
        return String.format(Locale.ROOT, "bench-%sx%06dz", group, number);
    }

    String persistenceId(String group, int number) {
        return id(group, number);
    }

    @Override
    public void stop(String group, Measurement measurement) {
        long since = System.nanoTime();
        List<ActorRef> stopped = groups.remove(group);
        CompletableFuture<?>[] ends = (stopped == null ? List.<ActorRef>of() : stopped)
                .stream()
                        .map(entity -> Patterns.gracefulStop(entity, Duration.ofSeconds(60))
                                .toCompletableFuture())
                        .toArray(CompletableFuture<?>[]::new);
        CompletableFuture.allOf(ends).whenComplete((all, failure) -> {
            if (failure == null) {
                measurement.done(since, 0);
            } else {
                measurement.fail(failure);
            }
        });
    }

    @Override
    public int running(String group) {
        return groups.getOrDefault(group, List.of()).size();
    }

    @Override
    public void write(String group, Write write, Measurement measurement) {
        Queue<ActorRef> waiting = new ConcurrentLinkedQueue<>(groups.getOrDefault(group, List.of()));
        LoadEntity.DoWrite command = new LoadEntity.DoWrite(write, measurement, waiting);
        for (int i = 0; i < MAX_CONCURRENT; i++) {
            ActorRef entity = waiting.poll();
            if (entity != null) {
                entity.tell(command, ActorRef.noSender());
            }
        }
    }

    @Override
    public CompletableFuture<String> persistAtRate(String group, Rate rate) {
        List<ActorRef> entities = groups.getOrDefault(group, List.of());
        return rate.begin(
                        entities.size(),
                        (loop, entity, index) -> entities.get(entity)
                                .tell(new LoadEntity.DoPersist(loop, index, rate.bytes()), ActorRef.noSender()))
                .result();
    }

    @Override
    public void snapshot(String group, int bytes, Measurement measurement) {
        groups.getOrDefault(group, List.of())
                .forEach(entity -> entity.tell(new LoadEntity.DoSnapshot(bytes, measurement), ActorRef.noSender()));
    }
}
