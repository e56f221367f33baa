import akka.actor.ActorRef;
import akka.actor.ActorSystem;
import akka.persistence.Delivered;
import akka.persistence.PersistentRepr;
import akka.persistence.PersistentRepr$;
import akka.serialization.Serialization;
import akka.serialization.SerializationExtension;
import com.typesafe.config.ConfigFactory;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import scala.collection.immutable.Nil$;

/**
 * The serializer of Akka 2.3.4, for SclasenSerializerTest: run from its source in a JVM with that version alone. Answers each
 * line of its input with one line; texts and bytes are in base 64.
 */
public class Akka23 {

    public static void main(String[] args) throws Exception {
        ActorSystem system = ActorSystem.create("akka23", ConfigFactory.load());
        Serialization serialization = SerializationExtension.get(system);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String[] words = line.split(" ");
            System.out.println(words[0].equals("write") ? write(serialization, words) : read(serialization, words[1]));
        }
        system.shutdown();
    }

    /** write, text|bytes, payload, number, id, deleted. */
    private static String write(Serialization serialization, String[] words) {
        Object payload = words[1].equals("text") ? text(words[2]) : Base64.getDecoder().decode(words[2]);
        PersistentRepr repr = PersistentRepr$.MODULE$.apply(
                payload,
                Long.parseLong(words[3]),
                text(words[4]),
                Boolean.parseBoolean(words[5]),
                0,
                (scala.collection.immutable.Seq<String>) (Object) Nil$.MODULE$,
                false,
                (Delivered) null,
                (ActorRef) null,
                (ActorRef) null);
        return Base64.getEncoder().encodeToString(serialization.serialize(repr).get());
    }

    /** Answers: payload, number, id, deleted. */
    private static String read(Serialization serialization, String bytes) {
        PersistentRepr repr = serialization
                .deserialize(Base64.getDecoder().decode(bytes), PersistentRepr.class)
                .get();
        byte[] payload = repr.payload() instanceof byte[]
                ? (byte[]) repr.payload()
                : repr.payload().toString().getBytes(StandardCharsets.UTF_8);
        return Base64.getEncoder().encodeToString(payload) + " " + repr.sequenceNr() + " "
                + Base64.getEncoder().encodeToString(repr.persistenceId().getBytes(StandardCharsets.UTF_8)) + " "
                + repr.deleted();
    }

    private static String text(String base64) {
        return new String(Base64.getDecoder().decode(base64), StandardCharsets.UTF_8);
    }
}
