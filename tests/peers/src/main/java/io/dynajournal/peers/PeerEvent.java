package io.dynajournal.peers;

import java.io.Serializable;

/**
 * An event.
 *
 * @param manifest that the event adapter received on reading; not in the event's bytes
 */
record PeerEvent(String text, String manifest) implements Serializable {

    /** An event without a serializer. */
    static final PeerEvent UNSERIALIZABLE = of("unserializable");

    static PeerEvent of(String text) {
        return new PeerEvent(text, "");
    }

    PeerEvent withManifest(String read) {
        return new PeerEvent(text, read);
    }
}
