package io.dynajournal.internal.projection;

import akka.NotUsed;
import akka.stream.javadsl.Source;

/** A source provider whose query begins with the newest snapshot of each entity, which replaces the events up to it. */
public interface SnapshotSource<E> {

    /**
     * An envelope of the query.
     *
     * @param isSnapshot whether its event was created from a snapshot
     */
    record Read<E>(E envelope, boolean isSnapshot) {}

    /**
     * The newest snapshot of an entity between two sequence numbers, inclusive, and the events after it; all events if there
     * is no such snapshot.
     */
    Source<Read<E>, NotUsed> fromNewestSnapshot(String persistenceId, long fromSeqNr, long toSeqNr);
}
