package io.dynajournal.query;

import akka.NotUsed;
import akka.stream.javadsl.Source;
import io.dynajournal.slices.Start;
import io.dynajournal.store.TaggedEvents;
import java.time.Clock;

/** The events with a tag that are there now, where there is no index by slice. */
final class TagSource {

    /** How many events are read from the table at once. */
    private static final int EVENTS = 16;

    private TagSource() {}

    static Source<Found, NotUsed> of(
            TaggedEvents tagged, Lane lane, String table, String tag, Start start, boolean live) {
        if (live) {
            throw new UnsupportedOperationException("Table " + table
                    + " (j5ik2o) has no index by time, so that a live query by tag would scan it again and again. The layouts"
                    + " commits and akka2 have one; here there is currentEventsByTag");
        }
        return Source.completionStage(lane.run(() -> tagged.find(tag, start.fromMicros())))
                .mapConcat(rows -> rows)
                .filter(row -> row.seqNr() > start.seen().getOrDefault(row.persistenceId(), 0L))
                .grouped(EVENTS)
                .mapAsync(1, rows -> lane.run(() -> tagged.events(rows)))
                .mapConcat(events -> events)
                .map(event -> new Found(event, Clock.systemUTC().millis() * 1000));
    }
}
