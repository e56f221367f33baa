package io.dynajournal.peers.soak;

import akka.serialization.SerializerWithStringManifest;
import java.io.NotSerializableException;
import java.nio.ByteBuffer;

/** Numbers first, then the event's bytes. */
public final class SoakSerializer extends SerializerWithStringManifest {

    private static final int IDENTIFIER = 4713;
    private static final String EVENT = "e";
    private static final String STATE = "s";

    @Override
    public int identifier() {
        return IDENTIFIER;
    }

    @Override
    public String manifest(Object object) {
        return object instanceof SoakEvent ? EVENT : STATE;
    }

    @Override
    public byte[] toBinary(Object object) {
        if (object instanceof SoakEvent event) {
            return ByteBuffer.allocate(3 * Long.BYTES + event.bytes().length)
                    .putLong(event.number())
                    .putLong(event.before())
                    .putLong(event.link())
                    .put(event.bytes())
                    .array();
        }
        SoakState state = (SoakState) object;
        return ByteBuffer.allocate(2 * Long.BYTES)
                .putLong(state.count())
                .putLong(state.link())
                .array();
    }

    @Override
    public Object fromBinary(byte[] bytes, String manifest) throws NotSerializableException {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        switch (manifest) {
            case EVENT -> {
                long number = buffer.getLong();
                long before = buffer.getLong();
                long link = buffer.getLong();
                byte[] rest = new byte[buffer.remaining()];
                buffer.get(rest);
                return new SoakEvent(number, before, link, rest);
            }
            case STATE -> {
                return new SoakState(buffer.getLong(), buffer.getLong());
            }
            default -> throw new NotSerializableException("unknown manifest " + manifest);
        }
    }
}
