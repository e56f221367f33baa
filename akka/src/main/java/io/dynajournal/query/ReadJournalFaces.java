package io.dynajournal.query;

import akka.actor.ExtendedActorSystem;
import io.dynajournal.query.javadsl.DynajournalReadJournal;

/**
 * Makes the two faces of a read journal. An artifact for a newer toolkit offers its own as a service ({@link
 * java.util.ServiceLoader}), with faces that implement the interfaces of that toolkit too.
 */
public interface ReadJournalFaces {

    DynajournalReadJournal javadsl(ExtendedActorSystem system, Queries queries);

    io.dynajournal.query.scaladsl.DynajournalReadJournal scaladsl(ExtendedActorSystem system, Queries queries);
}
