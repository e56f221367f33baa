package io.dynajournal.internal.model;

import java.util.Arrays;
import java.util.Objects;

/** A serialized object: the serializer's id, the manifest, the bytes. The array is not copied and must not be changed. */
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

    /** Without the bytes, because this text ends up in logs. */
    @Override
    public String toString() {
        return "Payload[serializerId=" + serializerId + ", manifest=" + manifest + ", " + bytes.length + " bytes]";
    }
}
