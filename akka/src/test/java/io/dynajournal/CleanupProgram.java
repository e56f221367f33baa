package io.dynajournal;

import akka.actor.ActorSystem;
import io.dynajournal.cleanup.javadsl.EventSourcedCleanup;
import java.util.concurrent.TimeUnit;

/** A process that cleans up all entities of a type and prints each of them; {@link CleanupProcessTest} kills it. */
final class CleanupProgram {

    static final String CLEANED = "cleaned ";

    private CleanupProgram() {}

    /** The arguments are the settings and the entity type. */
    public static void main(String[] arguments) {
        ActorSystem system = ActorSystem.create("cleanup", Systems.settings(arguments[0]));
        EventSourcedCleanup cleanup =
                new EventSourcedCleanup(system).withProgress(id -> System.out.println(CLEANED + id));
        cleanup.deleteAllEvents(cleanup.persistenceIds(arguments[1]), false)
                .toCompletableFuture()
                .orTimeout(10, TimeUnit.MINUTES)
                .join();
        system.terminate();
    }
}
