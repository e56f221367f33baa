package io.dynajournal.query;

import akka.actor.ExtendedActorSystem;
import akka.persistence.query.ReadJournalProvider;
import com.typesafe.config.Config;
import io.dynajournal.query.javadsl.DynajournalReadJournal;

/** The read journal plugin; settings name it as {@code class}. */
public final class DynajournalReadJournalProvider implements ReadJournalProvider {

    private final DynajournalReadJournal javadsl;
    private final io.dynajournal.query.scaladsl.DynajournalReadJournal scaladsl;

    public DynajournalReadJournalProvider(ExtendedActorSystem system, Config config, String path) {
        Queries queries = new Queries(system, config, path);
        this.javadsl = new DynajournalReadJournal(system, queries);
        this.scaladsl = new io.dynajournal.query.scaladsl.DynajournalReadJournal(system, queries);
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
