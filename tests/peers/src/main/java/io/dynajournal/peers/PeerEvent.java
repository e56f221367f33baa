package io.dynajournal.peers;

/**
 * An event.
 *
 * @param manifest what the event adapter was told on reading; not in the event's bytes
 */
record PeerEvent(String text, String manifest) {

    /** No serializer takes it. */
    static final PeerEvent UNSERIALIZABLE = of("unserializable");

    static PeerEvent of(String text) {
        return new PeerEvent(text, "");
    }

    PeerEvent withManifest(String read) {
        return new PeerEvent(text, read);
    }
}
