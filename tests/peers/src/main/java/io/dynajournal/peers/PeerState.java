package io.dynajournal.peers;

/** The content of a snapshot: the texts of all events. */
record PeerState(String texts) {

    static final PeerState EMPTY = new PeerState("");

    PeerState with(PeerEvent event) {
        return new PeerState(texts.isEmpty() ? event.text() : texts + " " + event.text());
    }
}
