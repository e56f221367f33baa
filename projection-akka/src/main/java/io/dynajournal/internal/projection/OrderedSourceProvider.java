package io.dynajournal.internal.projection;

import akka.NotUsed;
import akka.persistence.query.Offset;
import akka.projection.scaladsl.SourceProvider;
import akka.stream.Attributes;
import akka.stream.scaladsl.Source;
import io.dynajournal.internal.toolkit.ScalaFutures;
import java.util.function.Supplier;
import scala.Function0;
import scala.Option;
import scala.concurrent.Future;
import scala.jdk.javaapi.FutureConverters;

/** A source whose envelopes have passed {@link EntityOrder}. */
final class OrderedSourceProvider<E> implements SourceProvider<Offset, E> {

    private final SourceProvider<Offset, E> given;
    private final EnvelopeSource<E> envelopes;
    private final ProjectionStatus status;
    private final Supplier<OffsetStore> store;

    /** @param store is open when the source is asked for, because the toolkit reads the offset first */
    OrderedSourceProvider(
            SourceProvider<Offset, E> given,
            EnvelopeSource<E> envelopes,
            ProjectionStatus status,
            Supplier<OffsetStore> store) {
        this.given = given;
        this.envelopes = envelopes;
        this.status = status;
        this.store = store;
    }

    @Override
    public Future<Source<E, NotUsed>> source(Function0<Future<Option<Offset>>> offset) {
        return ScalaFutures.asScala(FutureConverters.asJava(given.source(offset))
                .thenApply(source -> source.asJava()
                        .addAttributes(Attributes.apply(status))
                        .via(new EntityOrder<>(store.get(), envelopes, status).flow())
                        .asScala()));
    }

    @Override
    public Offset extractOffset(E envelope) {
        return given.extractOffset(envelope);
    }

    @Override
    public long extractCreationTime(E envelope) {
        return given.extractCreationTime(envelope);
    }
}
