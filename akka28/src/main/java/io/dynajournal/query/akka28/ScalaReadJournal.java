package io.dynajournal.query.akka28;

import akka.actor.ExtendedActorSystem;
import akka.persistence.query.typed.scaladsl.CurrentEventsByPersistenceIdStartingFromSnapshotQuery;
import akka.persistence.query.typed.scaladsl.CurrentEventsByPersistenceIdTypedQuery;
import akka.persistence.query.typed.scaladsl.CurrentEventsBySliceStartingFromSnapshotsQuery;
import akka.persistence.query.typed.scaladsl.EventsByPersistenceIdStartingFromSnapshotQuery;
import akka.persistence.query.typed.scaladsl.EventsByPersistenceIdTypedQuery;
import akka.persistence.query.typed.scaladsl.EventsBySliceStartingFromSnapshotsQuery;
import io.dynajournal.query.Queries;
import io.dynajournal.query.scaladsl.DynajournalReadJournal;

/** The read journal for Scala, whose methods are those of these interfaces. */
public final class ScalaReadJournal extends DynajournalReadJournal
        implements EventsBySliceStartingFromSnapshotsQuery,
                CurrentEventsBySliceStartingFromSnapshotsQuery,
                EventsByPersistenceIdStartingFromSnapshotQuery,
                CurrentEventsByPersistenceIdStartingFromSnapshotQuery,
                EventsByPersistenceIdTypedQuery,
                CurrentEventsByPersistenceIdTypedQuery {

    ScalaReadJournal(ExtendedActorSystem system, Queries queries) {
        super(system, queries);
    }
}
