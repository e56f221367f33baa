package io.dynajournal.peers;

import akka.serialization.SerializerWithStringManifest;
import java.io.NotSerializableException;
import java.nio.charset.StandardCharsets;

/** Texts in UTF-8, with a manifest. */
public final class PeerSerializer extends SerializerWithStringManifest {

    private static final int IDENTIFIER = 4711;
    private static final String EVENT = "event";
    private static final String STATE = "state";

    @Override
    public int identifier() {
        return IDENTIFIER;
    }

    @Override
    public String manifest(Object object) {
        return object instanceof PeerEvent ? EVENT : STATE;
    }

    @Override
    public byte[] toBinary(Object object) {
        if (object.equals(PeerEvent.UNSERIALIZABLE)) {
            throw new IllegalArgumentException("not serializable, as wished");
        }
        String text = object instanceof PeerEvent event ? event.text() : ((PeerState) object).texts();
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public Object fromBinary(byte[] bytes, String manifest) throws NotSerializableException {
        String text = new String(bytes, StandardCharsets.UTF_8);
        return switch (manifest) {
            case EVENT -> PeerEvent.of(text);
            case STATE -> new PeerState(text);
            default -> throw new NotSerializableException("unknown manifest " + manifest);
        };
    }
}
