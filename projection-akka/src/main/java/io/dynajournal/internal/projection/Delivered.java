package io.dynajournal.internal.projection;

import io.dynajournal.internal.projections.Position;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/** What is passed to a handler: an envelope, or a group of them. */
interface Delivered<T> {

    /** What is stored when the handler is done. */
    List<Position> positions(T delivered);

    /** What the handler receives; empty if all of it was filtered. */
    Optional<T> unfiltered(T delivered);

    /** The metadata of each event, read when the stream is consumed; null where there is none. */
    Stream<@Nullable Object> metadata(T delivered);

    /** An envelope. */
    static <E> Delivered<E> one() {
        return new Delivered<>() {
            @Override
            public List<Position> positions(E envelope) {
                return List.of(EnvelopeSource.position(envelope));
            }

            @Override
            public Optional<E> unfiltered(E envelope) {
                return EnvelopeFlags.isFiltered(envelope) ? Optional.empty() : Optional.of(envelope);
            }

            @Override
            public Stream<@Nullable Object> metadata(E envelope) {
                return Stream.<E>of(envelope).map(EnvelopeSource::metadata);
            }
        };
    }

    /** A group of envelopes. */
    static <E> Delivered<Seq<E>> group() {
        return new Delivered<>() {
            @Override
            public List<Position> positions(Seq<E> group) {
                return CollectionConverters.asJava(group).stream()
                        .map(EnvelopeSource::position)
                        .toList();
            }

            @Override
            public Optional<Seq<E>> unfiltered(Seq<E> group) {
                List<E> envelopes = CollectionConverters.asJava(group);
                List<E> rest = envelopes.stream()
                        .filter(envelope -> !EnvelopeFlags.isFiltered(envelope))
                        .toList();
                if (rest.size() == envelopes.size()) {
                    return Optional.of(group);
                }
                return rest.isEmpty()
                        ? Optional.empty()
                        : Optional.of(CollectionConverters.asScala(rest).toSeq());
            }

            @Override
            public Stream<@Nullable Object> metadata(Seq<E> group) {
                return CollectionConverters.asJava(group).stream().map(EnvelopeSource::metadata);
            }
        };
    }
}
