package io.dynajournal.peers;

import akka.persistence.journal.EventSeq;
import akka.persistence.journal.Tagged;
import java.util.Set;

/** Tags each event for a store that keeps the tagged event as one object, which only this adapter unwraps. */
public final class JavaTaggingAdapter extends ManifestAdapter {

    @Override
    public Object toJournal(Object event) {
        return new Tagged(event, Set.of("peer", author((PeerEvent) event)));
    }

    @Override
    public EventSeq fromJournal(Object event, String manifest) {
        return super.fromJournal(((Tagged) event).payload(), manifest);
    }
}
