package io.dynajournal.query.akka28;

import akka.actor.ExtendedActorSystem;
import akka.persistence.query.typed.scaladsl.CurrentEventsByPersistenceIdStartingFromSnapshotQuery;
import akka.persistence.query.typed.scaladsl.CurrentEventsByPersistenceIdTypedQuery;
import akka.persistence.query.typed.scaladsl.CurrentEventsBySliceStartingFromSnapshotsQuery;
import akka.persistence.query.typed.scaladsl.EventsByPersistenceIdStartingFromSnapshotQuery;
import akka.persistence.query.typed.scaladsl.EventsByPersistenceIdTypedQuery;
import akka.persistence.query.typed.scaladsl.EventsBySliceStartingFromSnapshotsQuery;
import io.dynajournal.internal.query.Queries;
import io.dynajournal.query.scaladsl.DynajournalReadJournal;

/** The read journal for Scala, which also implements the query interfaces of Akka 2.8. Its methods are inherited. */
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
