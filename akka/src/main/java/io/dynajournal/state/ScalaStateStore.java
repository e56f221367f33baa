package io.dynajournal.state;

import akka.Done;
import akka.persistence.state.scaladsl.DurableStateUpdateStore;
import akka.persistence.state.scaladsl.GetObjectResult;
import io.dynajournal.toolkit.Stages;
import scala.concurrent.Future;
import scala.jdk.javaapi.OptionConverters;

/** The store for Scala. */
public final class ScalaStateStore<A> implements DurableStateUpdateStore<A> {

    private final SerializedStates states;

    ScalaStateStore(SerializedStates states) {
        this.states = states;
    }

    @Override
    public Future<GetObjectResult<A>> getObject(String persistenceId) {
        return Stages.asScala(states.<A>get(persistenceId)
                .thenApply(found -> new GetObjectResult<>(OptionConverters.toScala(found.state()), found.revision())));
    }

    @Override
    public Future<Done> upsertObject(String persistenceId, long revision, A value, String tag) {
        return Stages.asScala(states.upsert(persistenceId, revision, value, tag).thenApply(done -> Done.getInstance()));
    }

    /** Deletes whatever is there. The toolkits advise against it, because it stops no second writer. */
    @SuppressWarnings("deprecation")
    @Override
    public Future<Done> deleteObject(String persistenceId) {
        return Stages.asScala(states.delete(persistenceId).thenApply(done -> Done.getInstance()));
    }

    @Override
    public Future<Done> deleteObject(String persistenceId, long revision) {
        return Stages.asScala(states.delete(persistenceId, revision).thenApply(done -> Done.getInstance()));
    }
}
