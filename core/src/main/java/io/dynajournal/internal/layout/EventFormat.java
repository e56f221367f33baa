package io.dynajournal.internal.layout;

import io.dynajournal.internal.model.Event;
import io.dynajournal.internal.model.StoredEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * What a table format keeps of an event, beside its sequence number, its writer and its payload.
 *
 * @param microsPerTick the precision of its times; 0 if it has none
 * @param writers a writer's name as the format keeps it
 */
public record EventFormat(
        long microsPerTick, boolean tags, boolean adapterManifests, boolean metadata, UnaryOperator<String> writers) {

    /** Times in microseconds, and everything else as it is. */
    public static final EventFormat COMPLETE = new EventFormat(1, true, true, true, UnaryOperator.identity());

    public static final long MILLIS = 1000;

    public EventFormat withTimes(long micros) {
        return new EventFormat(micros, tags, adapterManifests, metadata, writers);
    }

    public EventFormat withoutTags() {
        return new EventFormat(microsPerTick, false, adapterManifests, metadata, writers);
    }

    public EventFormat withoutAdapterManifests() {
        return new EventFormat(microsPerTick, tags, false, metadata, writers);
    }

    public EventFormat withoutMetadata() {
        return new EventFormat(microsPerTick, tags, adapterManifests, false, writers);
    }

    public EventFormat withWriters(UnaryOperator<String> names) {
        return new EventFormat(microsPerTick, tags, adapterManifests, metadata, names);
    }

    /** An event as it would be read back. Its time is 0 if the format has none. */
    public StoredEvent kept(StoredEvent stored) {
        Event event = stored.event();
        return new StoredEvent(
                stored.persistenceId(),
                stored.seqNr(),
                microsPerTick == 0 ? 0 : stored.timestampMicros() / microsPerTick * microsPerTick,
                writers.apply(stored.writer()),
                new Event(
                        event.payload(),
                        adapterManifests ? event.adapterManifest() : "",
                        tags ? event.tags() : Set.of(),
                        metadata ? event.metadata() : null));
    }

    /** What events of another format lose in this one, in words. */
    public List<String> losesOf(EventFormat other) {
        List<String> lost = new ArrayList<>();
        if (other.microsPerTick > 0 && microsPerTick == 0) {
            lost.add("the times of events");
        } else if (other.microsPerTick > 0 && other.microsPerTick < microsPerTick) {
            lost.add("the microseconds of times");
        }
        if (other.tags && !tags) {
            lost.add("tags");
        }
        if (other.adapterManifests && !adapterManifests) {
            lost.add("manifests of event adapters");
        }
        if (other.metadata && !metadata) {
            lost.add("metadata of replicated events");
        }
        return lost;
    }
}
