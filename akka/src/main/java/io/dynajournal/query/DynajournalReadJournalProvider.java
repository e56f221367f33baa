package io.dynajournal.query;

import akka.actor.ExtendedActorSystem;
import akka.persistence.query.ReadJournalProvider;
import com.typesafe.config.Config;
import io.dynajournal.internal.query.Queries;
import io.dynajournal.internal.query.ReadJournalFactory;
import io.dynajournal.query.javadsl.DynajournalReadJournal;
import java.util.ServiceConfigurationError;

/**
 * The read journal plugin, named by {@code class} in its settings. Applications use {@link DynajournalReadJournal}, which they
 * get from {@code PersistenceQuery}.
 */
public class DynajournalReadJournalProvider implements ReadJournalProvider {

    private final DynajournalReadJournal javadsl;
    private final io.dynajournal.query.scaladsl.DynajournalReadJournal scaladsl;

    /** Called by the toolkit. */
    public DynajournalReadJournalProvider(ExtendedActorSystem system, Config config, String path) {
        Queries queries = new Queries(system, config, path);
        try {
            ReadJournalFactory factory =
                    ReadJournalFactory.find(system.dynamicAccess().classLoader());
            this.javadsl = factory.javadsl(system, queries);
            this.scaladsl = factory.scaladsl(system, queries);
        } catch (ServiceConfigurationError | LinkageError e) {
            throw new IllegalStateException(
                    path + ": an artifact with the query interfaces of a newer toolkit is on the class path (such as"
                            + " dynajournal-akka28). Remove it, or update the toolkit",
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
