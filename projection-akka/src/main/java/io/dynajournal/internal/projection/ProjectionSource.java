package io.dynajournal.internal.projection;

import akka.persistence.query.Offset;
import akka.projection.BySlicesSourceProvider;
import akka.projection.internal.SourceProviderAdapter;
import akka.projection.scaladsl.SourceProvider;
import io.dynajournal.internal.model.SliceRange;

/** The source of a projection, of Java or Scala. */
public final class ProjectionSource<E> {

    private final SourceProvider<Offset, E> provider;
    private final EnvelopeSource<E> envelopes;
    private final SliceRange slices;

    private ProjectionSource(SourceProvider<Offset, E> provider, Object given) {
        if (!(given instanceof BySlicesSourceProvider bySlices)) {
            throw new IllegalArgumentException(
                    "Found the source provider " + given.getClass().getName()
                            + ". DynajournalProjection needs one by slices, such as EventSourcedProvider.eventsBySlices or"
                            + " DurableStateSourceProvider.changesBySlices");
        }
        this.provider = provider;
        this.envelopes = new EnvelopeSource<>(given);
        this.slices = new SliceRange(bySlices.minSlice(), bySlices.maxSlice());
    }

    /**
     * A provider of Scala.
     *
     * @throws IllegalArgumentException if it is not one by slices
     */
    public static <E> ProjectionSource<E> of(SourceProvider<Offset, E> given) {
        return new ProjectionSource<>(given, given);
    }

    /**
     * A provider of Java.
     *
     * @throws IllegalArgumentException if it is not one by slices
     */
    public static <E> ProjectionSource<E> of(akka.projection.javadsl.SourceProvider<Offset, E> given) {
        return new ProjectionSource<>(new SourceProviderAdapter<>(given), given);
    }

    SourceProvider<Offset, E> provider() {
        return provider;
    }

    EnvelopeSource<E> envelopes() {
        return envelopes;
    }

    SliceRange slices() {
        return slices;
    }
}
