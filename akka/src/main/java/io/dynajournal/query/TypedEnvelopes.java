package io.dynajournal.query;

import akka.persistence.query.Offset;
import akka.persistence.query.typed.EventEnvelope;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import scala.Option;
import scala.jdk.javaapi.CollectionConverters;

/** Makes the toolkit's envelopes; newer toolkits than the one we compile for have tags and a source in them. */
final class TypedEnvelopes {

    /** What an envelope holds on each toolkit. */
    record Content<E>(
            Offset offset,
            String persistenceId,
            long seqNr,
            E event,
            long timestamp,
            Option<Object> metadata,
            String entityType,
            int slice,
            String source,
            Set<String> tags) {}

    /** The source of an envelope whose event was made of a snapshot, as the toolkits' own plugins have it. */
    static final String FROM_SNAPSHOT = "SN";

    private static final @Nullable MethodHandle LONG = longConstructor();

    private TypedEnvelopes() {}

    private static @Nullable MethodHandle longConstructor() {
        try {
            return MethodHandles.publicLookup()
                    .findConstructor(
                            EventEnvelope.class,
                            MethodType.methodType(
                                    void.class,
                                    Offset.class,
                                    String.class,
                                    long.class,
                                    Option.class,
                                    long.class,
                                    Option.class,
                                    String.class,
                                    int.class,
                                    boolean.class,
                                    String.class,
                                    scala.collection.immutable.Set.class));
        } catch (NoSuchMethodException e) {
            return null; // an older toolkit
        } catch (IllegalAccessException e) {
            throw new IllegalStateException("The constructor of the toolkit's envelope is not accessible", e);
        }
    }

    static <E> EventEnvelope<E> of(Content<E> content) {
        if (LONG == null) {
            return new EventEnvelope<>(
                    content.offset(),
                    content.persistenceId(),
                    content.seqNr(),
                    Option.apply(content.event()),
                    content.timestamp(),
                    content.metadata(),
                    content.entityType(),
                    content.slice());
        }
        return withTags(LONG, content);
    }

    @SuppressWarnings("unchecked")
    private static <E> EventEnvelope<E> withTags(MethodHandle constructor, Content<E> content) {
        try {
            return (EventEnvelope<E>) constructor.invoke(
                    content.offset(),
                    content.persistenceId(),
                    content.seqNr(),
                    Option.apply(content.event()),
                    content.timestamp(),
                    content.metadata(),
                    content.entityType(),
                    content.slice(),
                    false,
                    content.source(),
                    scala.collection.immutable.Set.from(CollectionConverters.asScala(content.tags())));
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("The constructor of the toolkit's envelope has thrown", e);
        }
    }
}
