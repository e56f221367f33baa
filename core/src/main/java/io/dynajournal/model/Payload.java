package io.dynajournal.model;

import java.util.Arrays;
import java.util.Objects;

/**
 * A serialized object: what wrote it, its manifest, its bytes. The array is not copied; whoever hands it over stops
 * changing it.
 */
@SuppressWarnings("ArrayRecordComponent") // equals, hashCode and toString below do what a record with an array does not
public record Payload(int serializerId, String manifest, byte[] bytes) {

    public Payload {
        Objects.requireNonNull(manifest, "manifest");
        Objects.requireNonNull(bytes, "bytes");
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Payload that
                && serializerId == that.serializerId
                && manifest.equals(that.manifest)
                && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return Objects.hash(serializerId, manifest, Arrays.hashCode(bytes));
    }

    /** Never prints the bytes: they belong to the user and end up in logs. */
    @Override
    public String toString() {
        return "Payload[serializerId=" + serializerId + ", manifest=" + manifest + ", " + bytes.length + " bytes]";
    }
}
