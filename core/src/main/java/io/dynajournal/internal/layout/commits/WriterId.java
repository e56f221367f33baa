package io.dynajournal.internal.layout.commits;

import io.dynajournal.internal.dynamo.Item;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/** A writer's UUID, stored in 16 bytes. A name that is not a canonical UUID is hashed to one; it serves to compare writers. */
record WriterId(UUID uuid) {

    private static final int BYTES = 16;

    static WriterId of(String name) {
        try {
            UUID uuid = UUID.fromString(name);
            if (uuid.toString().equals(name)) {
                return new WriterId(uuid);
            }
        } catch (IllegalArgumentException e) {
            return hashed(name);
        }
        return hashed(name); // "1-1-1-1-1" is a UUID to the JDK, but would be read back as another text
    }

    private static WriterId hashed(String name) {
        return new WriterId(UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8)));
    }

    /** Reads the writer of a stored item. */
    static WriterId in(Item item, String attribute) {
        byte[] bytes = item.bytes(attribute);
        if (bytes.length != BYTES) {
            throw item.corrupt(attribute, "has " + bytes.length + " bytes (expected " + BYTES + ")", null);
        }
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        return new WriterId(new UUID(buffer.getLong(), buffer.getLong()));
    }

    byte[] bytes() {
        return ByteBuffer.allocate(BYTES)
                .putLong(uuid.getMostSignificantBits())
                .putLong(uuid.getLeastSignificantBits())
                .array();
    }

    @Override
    public String toString() {
        return uuid.toString();
    }
}
