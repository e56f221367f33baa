package io.dynajournal;

import akka.persistence.journal.EventAdapter;
import akka.persistence.journal.EventSeq;
import java.util.Locale;

/** Keeps texts in capitals, and marks them by its manifest. */
public final class ShoutingAdapter implements EventAdapter {

    static final String MANIFEST = "shouted";

    @Override
    public String manifest(Object event) {
        return MANIFEST;
    }

    @Override
    public Object toJournal(Object event) {
        return event.toString().toUpperCase(Locale.ROOT);
    }

    @Override
    public EventSeq fromJournal(Object event, String manifest) {
        return EventSeq.single(event.toString().toLowerCase(Locale.ROOT) + " " + manifest + " on " + threadName());
    }

    /** Without the number: which pool, not which thread. */
    private static String threadName() {
        return Thread.currentThread().getName().replaceAll("-\\d+$", "");
    }
}
