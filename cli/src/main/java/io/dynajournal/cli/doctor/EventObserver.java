package io.dynajournal.cli.doctor;

import io.dynajournal.internal.model.StoredEvent;
import io.dynajournal.internal.store.Finding;
import java.util.Optional;

/** Looks for one kind of finding in the events of a log, in order. Not thread-safe. */
interface EventObserver {

    void accept(StoredEvent event);

    /** What was found, once all events were accepted. */
    Optional<Finding> finding();
}
