package io.dynajournal.query;

import akka.actor.ExtendedActorSystem;
import akka.persistence.query.ReadJournalProvider;
import com.typesafe.config.Config;
import io.dynajournal.query.javadsl.DynajournalReadJournal;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;

/** The read journal plugin; settings name it as {@code class}. */
public final class DynajournalReadJournalProvider implements ReadJournalProvider {

    private final DynajournalReadJournal javadsl;
    private final io.dynajournal.query.scaladsl.DynajournalReadJournal scaladsl;

    public DynajournalReadJournalProvider(ExtendedActorSystem system, Config config, String path) {
        Queries queries = new Queries(system, config, path);
        try {
            ReadJournalFaces faces = ServiceLoader.load(
                            ReadJournalFaces.class, system.dynamicAccess().classLoader())
                    .findFirst()
                    .orElseGet(PlainFaces::new);
            this.javadsl = faces.javadsl(system, queries);
            this.scaladsl = faces.scaladsl(system, queries);
        } catch (ServiceConfigurationError | LinkageError e) {
            throw new IllegalStateException(
                    "An artifact with the queries of a newer toolkit is on the class path: take it out, or update the"
                            + " toolkit",
                    e);
        }
    }

    @Override
    public DynajournalReadJournal javadslReadJournal() {
        return javadsl;
    }

    @Override
    public io.dynajournal.query.scaladsl.DynajournalReadJournal scaladslReadJournal() {
        return scaladsl;
    }
}
