package io.dynajournal.internal.query;

import akka.persistence.PersistentRepr;
import akka.persistence.query.Offset;
import akka.persistence.query.typed.EventEnvelope;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import scala.Option;
import scala.jdk.javaapi.CollectionConverters;

/** Creates the toolkit's envelopes. Newer toolkits than the one we compile for have tags and a source in them. */
final class TypedEnvelopes {

    /** The fields of an envelope, on any toolkit. */
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

    /** The source of an envelope whose event was created from a snapshot; the toolkits' own plugins use the same. */
    static final String FROM_SNAPSHOT = "SN";

    /** A marker that is stored in place of an event which consumers must not receive; only newer toolkits have it. */
    private static final String FILTERED_PAYLOAD = PersistentRepr.class.getPackageName() + ".FilteredPayload$";

    private static final @Nullable MethodHandle CONSTRUCTOR_WITH_TAGS = constructorWithTags();

    private TypedEnvelopes() {}

    private static @Nullable MethodHandle constructorWithTags() {
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
            throw new IllegalStateException("The constructor of the toolkit's EventEnvelope is not accessible", e);
        }
    }

    static <E> EventEnvelope<E> of(Content<E> content) {
        if (CONSTRUCTOR_WITH_TAGS == null) {
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
        return withTags(CONSTRUCTOR_WITH_TAGS, content);
    }

    @SuppressWarnings("unchecked")
    private static <E> EventEnvelope<E> withTags(MethodHandle constructor, Content<E> content) {
        boolean filtered = content.event().getClass().getName().equals(FILTERED_PAYLOAD);
        try {
            return (EventEnvelope<E>) constructor.invoke(
                    content.offset(),
                    content.persistenceId(),
                    content.seqNr(),
                    filtered ? Option.empty() : Option.apply(content.event()),
                    content.timestamp(),
                    content.metadata(),
                    content.entityType(),
                    content.slice(),
                    filtered,
                    content.source(),
                    scala.collection.immutable.Set.from(CollectionConverters.asScala(content.tags())));
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("The constructor of the toolkit's EventEnvelope has thrown", e);
        }
    }
}
