package akka.persistence.dynamodb.journal;

import com.typesafe.config.Config;
import io.dynajournal.journal.DynajournalJournal;

/** The name by which configurations of akka-persistence-dynamodb 1.x and 2.x know their journal. */
public final class DynamoDBJournal extends DynajournalJournal {

    /** Called by the toolkit. */
    public DynamoDBJournal(Config config, String path) {
        super(config, path);
    }
}
