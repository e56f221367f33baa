package io.dynajournal.internal.query;

import akka.NotUsed;
import akka.stream.javadsl.Source;
import io.dynajournal.internal.slices.ResumePoint;
import io.dynajournal.internal.store.TaggedEvents;
import java.time.Clock;

/** Current events by tag, for layouts without an index by slice. */
final class TagSource {

    /** Number of events read per request. */
    private static final int EVENTS_PER_READ = 16;

    private TagSource() {}

    /** Where the tags are only inside the event and it has no time, a query reads all events: once, and from the start. */
    static void checkReadsAll(String table, ResumePoint start, boolean live) {
        if (live || !start.equals(ResumePoint.BEGINNING)) {
            throw new UnsupportedOperationException("Table " + table
                    + " (layout akka1) has no index by tag and no times, so a query by tag reads all its events. Use"
                    + " currentEventsByTag from NoOffset, or one of the layouts commits and akka2");
        }
    }

    static Source<ReadEvent, NotUsed> of(
            TaggedEvents tagged, RequestLimiter limiter, String table, String tag, ResumePoint start, boolean live) {
        if (live) {
            throw new UnsupportedOperationException("Table " + table
                    + " (layout j5ik2o) has no index by time, so a live query by tag would scan it over and over. Use"
                    + " currentEventsByTag, or one of the layouts commits and akka2");
        }
        return Source.completionStage(limiter.run(() -> tagged.find(tag, start.fromMicros())))
                .mapConcat(rows -> rows)
                .filter(row -> row.seqNr() > start.seen().getOrDefault(row.persistenceId(), 0L))
                .grouped(EVENTS_PER_READ)
                .mapAsync(1, rows -> limiter.run(() -> tagged.events(rows)))
                .mapConcat(events -> events)
                .map(event -> new ReadEvent(event, Clock.systemUTC().millis() * 1000));
    }
}
