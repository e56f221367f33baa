package akka.persistence.journal.dynamodb;

import com.typesafe.config.Config;
import io.dynajournal.journal.DynajournalJournal;

/** The name by which configurations of sclasen's 0.3 know their journal. */
public final class DynamoDBJournal extends DynajournalJournal {

    /** Called by the toolkit. */
    public DynamoDBJournal(Config config, String path) {
        super(config, path);
    }
}
