package io.dynajournal.internal.query;

import akka.actor.ExtendedActorSystem;
import io.dynajournal.query.javadsl.DynajournalReadJournal;

/** Creates read journals with the query interfaces that every supported toolkit has. */
final class PlainReadJournalFactory implements ReadJournalFactory {

    @Override
    public DynajournalReadJournal javadsl(ExtendedActorSystem system, Queries queries) {
        return new DynajournalReadJournal(system, queries);
    }

    @Override
    public io.dynajournal.query.scaladsl.DynajournalReadJournal scaladsl(ExtendedActorSystem system, Queries queries) {
        return new io.dynajournal.query.scaladsl.DynajournalReadJournal(system, queries);
    }
}
