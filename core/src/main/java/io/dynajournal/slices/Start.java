package io.dynajournal.slices;

import java.util.Map;

/**
 * Where a reader begins.
 *
 * @param fromMicros writes of this time and later are delivered
 * @param seen up to which number the consumer has had the events of some ids
 * @param seenMicros the time of those numbers
 */
public record Start(long fromMicros, Map<String, Long> seen, long seenMicros) {

    /** Everything. */
    public static final Start BEGINNING = new Start(0, Map.of(), 0);

    public Start {
        seen = Map.copyOf(seen);
    }

    /**
     * Behind an offset that a consumer has stored. Whatever had not come to light when the event of that offset was
     * delivered is younger than the window, and no partition was behind by more than the slack: so reading resumes that
     * much earlier, and what lies between is delivered again, except for the ids of {@code seen}.
     */
    public static Start behind(long offsetMicros, Map<String, Long> seen, ReaderSettings settings) {
        long from = offsetMicros - settings.windowMicros() - settings.slackMicros();
        return new Start(Math.max(0, from), seen, offsetMicros);
    }
}
