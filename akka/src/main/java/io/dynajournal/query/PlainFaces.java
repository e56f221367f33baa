package io.dynajournal.query;

import akka.actor.ExtendedActorSystem;
import io.dynajournal.query.javadsl.DynajournalReadJournal;

/** With the interfaces that all supported toolkits have. */
final class PlainFaces implements ReadJournalFaces {

    @Override
    public DynajournalReadJournal javadsl(ExtendedActorSystem system, Queries queries) {
        return new DynajournalReadJournal(system, queries);
    }

    @Override
    public io.dynajournal.query.scaladsl.DynajournalReadJournal scaladsl(ExtendedActorSystem system, Queries queries) {
        return new io.dynajournal.query.scaladsl.DynajournalReadJournal(system, queries);
    }
}
