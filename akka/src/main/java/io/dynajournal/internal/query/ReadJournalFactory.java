package io.dynajournal.internal.query;

import akka.actor.ExtendedActorSystem;
import io.dynajournal.query.javadsl.DynajournalReadJournal;
import java.util.ServiceLoader;

/**
 * Creates the read journals for Java and for Scala. An artifact for a newer toolkit provides its own factory as a service
 * ({@link ServiceLoader}); its read journals also implement the query interfaces of that toolkit.
 */
public interface ReadJournalFactory {

    /** The one on the class path; without one, read journals with the interfaces that every supported toolkit has. */
    static ReadJournalFactory find(ClassLoader loader) {
        return ServiceLoader.load(ReadJournalFactory.class, loader).findFirst().orElseGet(PlainReadJournalFactory::new);
    }

    DynajournalReadJournal javadsl(ExtendedActorSystem system, Queries queries);

    io.dynajournal.query.scaladsl.DynajournalReadJournal scaladsl(ExtendedActorSystem system, Queries queries);
}
