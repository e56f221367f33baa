package io.dynajournal.internal.slices;

import java.util.Map;

/**
 * Where a reader starts.
 *
 * @param fromMicros commits of this time and later are delivered
 * @param seen the last sequence number that the consumer has received, for the persistence ids of its offset
 * @param seenMicros the time of those sequence numbers
 */
public record ResumePoint(long fromMicros, Map<String, Long> seen, long seenMicros) {

    /** Everything. */
    public static final ResumePoint BEGINNING = new ResumePoint(0, Map.of(), 0);

    public ResumePoint {
        seen = Map.copyOf(seen);
    }

    /**
     * After an offset that a consumer has stored. When the event of that offset was delivered, every commit that was not yet
     * visible was newer than the backtracking window, and no partition lagged by more than the slack. So reading resumes
     * that much earlier and delivers what lies between again, except for the ids of {@code seen}.
     */
    public static ResumePoint after(long offsetMicros, Map<String, Long> seen, ReaderSettings settings) {
        long from = offsetMicros - settings.backtrackingWindowMicros() - settings.slackMicros();
        return new ResumePoint(Math.max(0, from), seen, offsetMicros);
    }
}
