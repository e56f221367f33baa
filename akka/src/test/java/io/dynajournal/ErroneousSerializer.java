package io.dynajournal;

import akka.actor.ExtendedActorSystem;
import akka.serialization.SerializerWithStringManifest;
import java.nio.charset.StandardCharsets;

/** Throws errors, not exceptions, as a library does whose classes are incomplete, or a recursion over a deep object. */
public final class ErroneousSerializer extends SerializerWithStringManifest {

    public ErroneousSerializer(ExtendedActorSystem system) {}

    @Override
    public int identifier() {
        return 7002;
    }

    @Override
    public String manifest(Object object) {
        return "erroneous";
    }

    @Override
    public byte[] toBinary(Object object) {
        String text = ((Erroneous) object).text();
        if (text.equals(Erroneous.UNWRITABLE)) {
            throw new NoClassDefFoundError("com/example/Missing");
        }
        if (text.equals(Erroneous.TOO_DEEP)) {
            throw new StackOverflowError();
        }
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public Object fromBinary(byte[] bytes, String manifest) {
        throw new NoClassDefFoundError("com/example/Missing");
    }
}
