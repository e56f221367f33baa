package io.dynajournal.health;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How far a query by slice or by tag is, by its latest report in this actor system.
 *
 * @param query which query
 * @param reported when it last reported, by this machine's clock: at most a second ago while it reads
 * @param delivered number of events delivered since the stream was started
 * @param readTo all events before this time were delivered, as far as the index has shown them; null if it has delivered nothing yet
 * @param failure why it could not read and retries; null if it has read since
 */
public record QueryHealth(
        String query,
        Instant reported,
        long delivered,
        @Nullable Instant readTo,
        @Nullable Throwable failure) {}
