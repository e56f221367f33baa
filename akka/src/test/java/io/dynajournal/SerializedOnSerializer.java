package io.dynajournal;

import akka.actor.ExtendedActorSystem;
import akka.serialization.SerializerWithStringManifest;
import java.nio.charset.StandardCharsets;

/** Stores the name of the thread that it is called on. */
public final class SerializedOnSerializer extends SerializerWithStringManifest {

    public SerializedOnSerializer(ExtendedActorSystem system) {}

    @Override
    public int identifier() {
        return 7003;
    }

    @Override
    public String manifest(Object object) {
        return "serialized-on";
    }

    @Override
    public byte[] toBinary(Object object) {
        return Thread.currentThread().getName().getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public Object fromBinary(byte[] bytes, String manifest) {
        return new SerializedOn(new String(bytes, StandardCharsets.UTF_8));
    }
}
