package io.dynajournal.internal.toolkit;

import akka.actor.ActorSystem;
import akka.serialization.AsyncSerializer;
import akka.serialization.Serialization;
import akka.serialization.SerializationExtension;
import akka.serialization.Serializer;
import akka.serialization.Serializers;
import io.dynajournal.internal.model.Payload;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import scala.Option;
import scala.jdk.javaapi.FutureConverters;
import scala.util.Try;

/**
 * The toolkit's serialization. An ordinary serializer runs on the caller's thread; an asynchronous one completes the stage
 * later. Whatever a serializer throws, errors included, fails the stage.
 */
public final class PayloadSerde {

    private final Serialization serialization;

    public PayloadSerde(ActorSystem system) {
        this.serialization = SerializationExtension.get(system);
    }

    public CompletionStage<Payload> payload(Object object) {
        try {
            Serializer serializer = serialization.findSerializerFor(object);
            String manifest = Serializers.manifestFor(serializer, object);
            return serializer instanceof AsyncSerializer async
                    ? FutureConverters.asJava(async.toBinaryAsync(object))
                            .thenApply(bytes -> new Payload(serializer.identifier(), manifest, bytes))
                    : stage(serialization
                            .serialize(object)
                            .map(bytes -> new Payload(serializer.identifier(), manifest, bytes)));
        } catch (Throwable t) { // also checked exceptions and errors, such as a missing class or a stack overflow
            return CompletableFuture.failedFuture(t);
        }
    }

    public CompletionStage<Object> object(Payload payload) {
        try {
            Option<Serializer> serializer = serialization.serializerByIdentity().get(payload.serializerId());
            return serializer.isDefined() && serializer.get() instanceof AsyncSerializer async
                    ? FutureConverters.asJava(async.fromBinaryAsync(payload.bytes(), payload.manifest()))
                    : stage(serialization.deserialize(payload.bytes(), payload.serializerId(), payload.manifest()));
        } catch (Throwable t) { // also checked exceptions and errors, such as a missing class or a stack overflow
            return CompletableFuture.failedFuture(t);
        }
    }

    private static <T> CompletionStage<T> stage(Try<T> outcome) {
        return outcome.isSuccess()
                ? CompletableFuture.completedFuture(outcome.get())
                : CompletableFuture.failedFuture(outcome.failed().get());
    }
}
