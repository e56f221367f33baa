package io.dynajournal.peers;

import akka.persistence.journal.Tagged;
import java.util.Set;

/** Also tags each event, for stores that keep tags. */
public final class TaggingAdapter extends ManifestAdapter {

    @Override
    public Object toJournal(Object event) {
        return new Tagged(event, Set.of("peer", author((PeerEvent) event)));
    }
}
