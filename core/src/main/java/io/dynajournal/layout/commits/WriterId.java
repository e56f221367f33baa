package io.dynajournal.layout.commits;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/** A writer's uuid in 16 bytes. A name that is no uuid is hashed to one: it is compared, never shown to have a meaning. */
record WriterId(UUID uuid) {

    static WriterId of(String name) {
        try {
            UUID uuid = UUID.fromString(name);
            if (uuid.toString().equals(name)) {
                return new WriterId(uuid);
            }
        } catch (IllegalArgumentException e) {
            return hashed(name);
        }
        return hashed(name); // such as "1-1-1-1-1", which is a uuid to the JDK but would be read back as another text
    }

    private static WriterId hashed(String name) {
        return new WriterId(UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8)));
    }

    static WriterId of(byte[] bytes) {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        return new WriterId(new UUID(buffer.getLong(), buffer.getLong()));
    }

    byte[] bytes() {
        return ByteBuffer.allocate(16)
                .putLong(uuid.getMostSignificantBits())
                .putLong(uuid.getLeastSignificantBits())
                .array();
    }

    @Override
    public String toString() {
        return uuid.toString();
    }
}
