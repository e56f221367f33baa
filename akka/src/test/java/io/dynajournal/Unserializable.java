package io.dynajournal;

/** An event that no serializer takes. */
final class Unserializable {

    @Override
    public String toString() {
        return "unserializable";
    }
}
