package io.dynajournal.peers.load;

import akka.serialization.SerializerWithStringManifest;
import java.io.NotSerializableException;

/** Passes bytes through: the cost of serialization is the same for every plugin and not of interest. */
public final class LoadSerializer extends SerializerWithStringManifest {

    private static final int IDENTIFIER = 4712;
    private static final String EVENT = "e";
    private static final String STATE = "s";

    @Override
    public int identifier() {
        return IDENTIFIER;
    }

    @Override
    public String manifest(Object object) {
        return object instanceof LoadEvent ? EVENT : STATE;
    }

    @Override
    public byte[] toBinary(Object object) {
        return object instanceof LoadEvent event ? event.bytes() : ((LoadState) object).bytes();
    }

    @Override
    public Object fromBinary(byte[] bytes, String manifest) throws NotSerializableException {
        return switch (manifest) {
            case EVENT -> new LoadEvent(bytes);
            case STATE -> new LoadState(bytes);
            default -> throw new NotSerializableException("unknown manifest " + manifest);
        };
    }
}
