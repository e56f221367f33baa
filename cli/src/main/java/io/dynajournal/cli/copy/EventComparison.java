package io.dynajournal.cli.copy;

import io.dynajournal.internal.layout.EventFormat;
import io.dynajournal.internal.model.Event;
import io.dynajournal.internal.model.StoredEvent;
import org.jspecify.annotations.Nullable;

/**
 * Compares the events of two logs in order, as far as both formats keep them. A format whose times must rise may have raised a time
 * to just after the one before; any other difference of times is one.
 */
final class EventComparison {

    /** A layout raises a time by one tick, and by another one for rejected events before it. */
    private static final int MAX_TICKS_RAISED = 2;

    private final EventFormat one;
    private final EventFormat other;
    private @Nullable StoredEvent lastOfOne;
    private @Nullable StoredEvent lastOfOther;

    EventComparison(EventFormat one, EventFormat other) {
        this.one = one;
        this.other = other;
    }

    /** An event as both formats keep it. */
    StoredEvent kept(StoredEvent event) {
        return one.kept(other.kept(event));
    }

    /** What differs between the next events of both logs, in words; null if nothing does. */
    @Nullable
    String difference(StoredEvent ofOne, StoredEvent ofOther) {
        StoredEvent left = kept(ofOne);
        StoredEvent right = kept(ofOther);
        @Nullable String content = contentDifference(left, right);
        boolean sameTime = left.timestampMicros() == right.timestampMicros()
                || left.timestampMicros() == 0
                || right.timestampMicros() == 0
                || isRaised(left, right);
        lastOfOne = ofOne;
        lastOfOther = ofOther;
        if (content != null) {
            return content;
        }
        return sameTime
                ? null
                : "the time in microseconds is " + ofOne.timestampMicros() + " and " + ofOther.timestampMicros();
    }

    private boolean isRaised(StoredEvent left, StoredEvent right) {
        boolean leftIsLater = left.timestampMicros() > right.timestampMicros();
        @Nullable StoredEvent before = leftIsLater ? lastOfOne : lastOfOther;
        long later = Math.max(left.timestampMicros(), right.timestampMicros());
        long ticks = Math.max(one.microsPerTick(), other.microsPerTick()) * MAX_TICKS_RAISED;
        return before == null || later <= before.timestampMicros() + ticks;
    }

    private static @Nullable String contentDifference(StoredEvent left, StoredEvent right) {
        Event one = left.event();
        Event other = right.event();
        if (left.seqNr() != right.seqNr()) {
            return "the sequence number is " + left.seqNr() + " and " + right.seqNr();
        }
        if (!left.writer().equals(right.writer())) {
            return "the writer is " + left.writer() + " and " + right.writer();
        }
        if (!one.payload().equals(other.payload())) {
            return "the payload is " + one.payload() + " and " + other.payload()
                    + (one.payload().toString().equals(other.payload().toString()) ? " with other bytes" : "");
        }
        if (!one.adapterManifest().equals(other.adapterManifest())) {
            return "the adapter manifest is \"" + one.adapterManifest() + "\" and \"" + other.adapterManifest() + "\"";
        }
        if (!one.tags().equals(other.tags())) {
            return "the tags are " + one.tags() + " and " + other.tags();
        }
        return one.equals(other) ? null : "the metadata is " + one.metadata() + " and " + other.metadata();
    }
}
