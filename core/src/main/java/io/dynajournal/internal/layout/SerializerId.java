package io.dynajournal.internal.layout;

import io.dynajournal.internal.dynamo.Item;

/** Reads the serializer id of a stored payload. */
public final class SerializerId {

    private SerializerId() {}

    /**
     * The serializer id in an attribute.
     *
     * @throws io.dynajournal.exception.StoreException.CorruptItem if the attribute holds no 32-bit number
     */
    public static int of(Item item, String attribute) {
        long id = item.number(attribute);
        if (id != (int) id) {
            throw item.corrupt(attribute, "is no serializer id: it does not fit into 32 bits", null);
        }
        return (int) id;
    }
}
