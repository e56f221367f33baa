package io.dynajournal.query.akka28;

import akka.actor.ExtendedActorSystem;
import io.dynajournal.query.Queries;
import io.dynajournal.query.ReadJournalFaces;

/** Found by its name in {@code META-INF/services}. */
public final class Akka28Faces implements ReadJournalFaces {

    @Override
    public JavaReadJournal javadsl(ExtendedActorSystem system, Queries queries) {
        return new JavaReadJournal(system, queries);
    }

    @Override
    public ScalaReadJournal scaladsl(ExtendedActorSystem system, Queries queries) {
        return new ScalaReadJournal(system, queries);
    }
}
