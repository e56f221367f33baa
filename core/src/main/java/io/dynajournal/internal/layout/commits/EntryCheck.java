package io.dynajournal.internal.layout.commits;

import io.dynajournal.internal.layout.commits.CommitItems.Entry;
import io.dynajournal.internal.store.Finding;
import java.util.Optional;

/** Looks for one kind of finding in the items of a log, in ascending order. Not thread-safe. */
interface EntryCheck {

    void accept(Entry entry);

    /** What was found, once all items were accepted. */
    Optional<Finding> finding();
}
