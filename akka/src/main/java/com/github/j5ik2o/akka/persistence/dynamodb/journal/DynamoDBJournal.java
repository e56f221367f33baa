package com.github.j5ik2o.akka.persistence.dynamodb.journal;

import com.typesafe.config.Config;
import io.dynajournal.journal.DynajournalJournal;

/** The name by which configurations of j5ik2o's plugin know their journal. */
public final class DynamoDBJournal extends DynajournalJournal {

    /** Called by the toolkit. */
    public DynamoDBJournal(Config config, String path) {
        super(config, path);
    }
}
