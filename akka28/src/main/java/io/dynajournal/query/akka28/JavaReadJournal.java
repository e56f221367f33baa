package io.dynajournal.query.akka28;

import akka.actor.ExtendedActorSystem;
import akka.persistence.query.typed.javadsl.CurrentEventsByPersistenceIdStartingFromSnapshotQuery;
import akka.persistence.query.typed.javadsl.CurrentEventsByPersistenceIdTypedQuery;
import akka.persistence.query.typed.javadsl.CurrentEventsBySliceStartingFromSnapshotsQuery;
import akka.persistence.query.typed.javadsl.EventsByPersistenceIdStartingFromSnapshotQuery;
import akka.persistence.query.typed.javadsl.EventsByPersistenceIdTypedQuery;
import akka.persistence.query.typed.javadsl.EventsBySliceStartingFromSnapshotsQuery;
import io.dynajournal.internal.query.Queries;
import io.dynajournal.query.javadsl.DynajournalReadJournal;

/** The read journal for Java, which also implements the query interfaces of Akka 2.8. Its methods are inherited. */
public final class JavaReadJournal extends DynajournalReadJournal
        implements EventsBySliceStartingFromSnapshotsQuery,
                CurrentEventsBySliceStartingFromSnapshotsQuery,
                EventsByPersistenceIdStartingFromSnapshotQuery,
                CurrentEventsByPersistenceIdStartingFromSnapshotQuery,
                EventsByPersistenceIdTypedQuery,
                CurrentEventsByPersistenceIdTypedQuery {

    JavaReadJournal(ExtendedActorSystem system, Queries queries) {
        super(system, queries);
    }
}
