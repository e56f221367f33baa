package io.dynajournal.store;

import io.dynajournal.model.StoredEvent;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Events in order, and how to go on.
 *
 * @param coveredTo the last number this page and those before it account for, be it by an event, a rejection or a delete
 * @param cut whether the range's {@code to} or {@code max} ended the reading
 * @param next null at the end
 */
public record EventPage(
        List<StoredEvent> events,
        long coveredTo,
        boolean cut,
        @Nullable PageToken next) {}
