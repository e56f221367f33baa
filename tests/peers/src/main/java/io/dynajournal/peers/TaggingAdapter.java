package io.dynajournal.peers;

import akka.persistence.journal.Tagged;
import java.util.Set;

/** Gives each event tags as well, for stores that keep them. */
public final class TaggingAdapter extends ManifestAdapter {

    @Override
    public Object toJournal(Object event) {
        return new Tagged(event, Set.of("peer", author((PeerEvent) event)));
    }
}
