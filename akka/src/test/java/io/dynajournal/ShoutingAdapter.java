package io.dynajournal;

import akka.persistence.journal.EventAdapter;
import akka.persistence.journal.EventSeq;
import java.util.Locale;

/** Keeps texts in capitals, and tells by its manifest that it did. */
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
        return manifest.equals(MANIFEST)
                ? EventSeq.single(event.toString().toLowerCase(Locale.ROOT))
                : EventSeq.single("not shouted: " + event);
    }
}
