package io.dynajournal.peers;

import akka.persistence.journal.EventAdapter;
import akka.persistence.journal.EventSeq;

/** Writes a manifest that starts like the event's text, and records the manifest that it receives on reading. */
public class ManifestAdapter implements EventAdapter {

    @Override
    public String manifest(Object event) {
        return "by " + author((PeerEvent) event);
    }

    static String author(PeerEvent event) {
        return event.text().split(":", 2)[0];
    }

    @Override
    public Object toJournal(Object event) {
        return event;
    }

    @Override
    public EventSeq fromJournal(Object event, String manifest) {
        return EventSeq.single(((PeerEvent) event).withManifest(manifest));
    }
}
