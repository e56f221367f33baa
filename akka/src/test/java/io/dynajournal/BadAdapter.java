package io.dynajournal;

import akka.persistence.journal.WriteEventAdapter;

/** Fails for every event that it is asked to adapt. */
public final class BadAdapter implements WriteEventAdapter {

    @Override
    public String manifest(Object event) {
        return "";
    }

    @Override
    public Object toJournal(Object event) {
        throw new IllegalStateException("no such event");
    }
}
