package io.dynajournal.state;

import akka.Done;
import akka.persistence.state.javadsl.DurableStateUpdateStore;
import akka.persistence.state.javadsl.GetObjectResult;
import java.util.concurrent.CompletionStage;

/** The store for Java. */
public final class JavaStateStore<A> implements DurableStateUpdateStore<A> {

    private final SerializedStates states;

    JavaStateStore(SerializedStates states) {
        this.states = states;
    }

    @Override
    public CompletionStage<GetObjectResult<A>> getObject(String persistenceId) {
        return states.<A>get(persistenceId).thenApply(found -> new GetObjectResult<>(found.state(), found.revision()));
    }

    @Override
    public CompletionStage<Done> upsertObject(String persistenceId, long revision, A value, String tag) {
        return states.upsert(persistenceId, revision, value, tag).thenApply(done -> Done.getInstance());
    }

    /** Deletes whatever is there. The toolkits advise against it, because it stops no second writer. */
    @SuppressWarnings("deprecation")
    @Override
    public CompletionStage<Done> deleteObject(String persistenceId) {
        return states.delete(persistenceId).thenApply(done -> Done.getInstance());
    }

    @Override
    public CompletionStage<Done> deleteObject(String persistenceId, long revision) {
        return states.delete(persistenceId, revision).thenApply(done -> Done.getInstance());
    }
}
