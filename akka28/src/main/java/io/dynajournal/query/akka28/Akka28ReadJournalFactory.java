package io.dynajournal.query.akka28;

import akka.actor.ExtendedActorSystem;
import io.dynajournal.internal.query.Queries;
import io.dynajournal.internal.query.ReadJournalFactory;

/** Creates read journals with the query interfaces of Akka 2.8. Found through {@code META-INF/services}. */
public final class Akka28ReadJournalFactory implements ReadJournalFactory {

    @Override
    public JavaReadJournal javadsl(ExtendedActorSystem system, Queries queries) {
        return new JavaReadJournal(system, queries);
    }

    @Override
    public ScalaReadJournal scaladsl(ExtendedActorSystem system, Queries queries) {
        return new ScalaReadJournal(system, queries);
    }
}
