package io.dynajournal.internal.store;

import io.dynajournal.internal.model.StoredEvent;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Events in order, and where the next page starts.
 *
 * @param coveredTo the last sequence number that this page and earlier ones account for, by an event, a rejection or a delete
 * @param cut whether the range's {@code to} or {@code max} ended the reading
 * @param next null at the end
 */
public record EventPage(
        List<StoredEvent> events,
        long coveredTo,
        boolean cut,
        @Nullable PageToken next) {}
