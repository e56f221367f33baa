package io.dynajournal.projection;

import akka.NotUsed;
import akka.persistence.query.Offset;
import akka.persistence.query.TimestampOffset;
import akka.persistence.query.typed.EventEnvelope;
import akka.persistence.query.typed.javadsl.EventTimestampQuery;
import akka.persistence.query.typed.javadsl.LoadEventQuery;
import akka.projection.BySlicesSourceProvider;
import akka.projection.javadsl.SourceProvider;
import akka.stream.javadsl.Source;
import io.dynajournal.internal.model.Slices;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import scala.Option;
import scala.jdk.javaapi.CollectionConverters;

/**
 * A journal in memory whose query delivers exactly what a test says, in that order, and then ends. Single events can be read,
 * whether they were delivered or not.
 */
final class ModelJournal {

    /** 2026-01-01, in microseconds. */
    static final long START = 1_767_225_600_000_000L;

    private final Map<String, EventEnvelope<String>> events = new HashMap<>();
    private final List<EventEnvelope<String>> delivered = new ArrayList<>();
    final List<Optional<Offset>> startedFrom = new CopyOnWriteArrayList<>();
    final List<String> loaded = new CopyOnWriteArrayList<>();

    /** An event that the query does not deliver. */
    ModelJournal write(String persistenceId, long seqNr, long micros) {
        events.put(persistenceId + "/" + seqNr, envelope(persistenceId, seqNr, micros, "event " + seqNr));
        return this;
    }

    /** An event that the query delivers next. */
    ModelJournal deliver(String persistenceId, long seqNr, long micros) {
        write(persistenceId, seqNr, micros);
        delivered.add(envelope(persistenceId, seqNr, micros, "event " + seqNr));
        return this;
    }

    /** A second event of the same sequence number, as an event adapter creates it. */
    ModelJournal deliverSplit(String persistenceId, long seqNr, long micros) {
        delivered.add(envelope(persistenceId, seqNr, micros, "another event " + seqNr));
        return this;
    }

    /** An envelope that only reports the event. */
    ModelJournal deliverWithoutPayload(String persistenceId, long seqNr, long micros) {
        write(persistenceId, seqNr, micros);
        delivered.add(envelope(persistenceId, seqNr, micros, null));
        return this;
    }

    void delete(String persistenceId, long seqNr) {
        events.remove(persistenceId + "/" + seqNr);
    }

    private static EventEnvelope<String> envelope(
            String persistenceId, long seqNr, long micros, @Nullable String event) {
        return new EventEnvelope<>(
                TimestampOffset.apply(
                        Instant.EPOCH.plus(micros, ChronoUnit.MICROS),
                        Instant.now(),
                        scala.collection.immutable.Map.from(
                                CollectionConverters.asScala(Map.<String, Object>of(persistenceId, seqNr)))),
                persistenceId,
                seqNr,
                Option.apply(event),
                micros / 1000,
                Option.empty(),
                Slices.entityType(persistenceId),
                Slices.of(persistenceId));
    }

    /** All slices. */
    SourceProvider<Offset, EventEnvelope<String>> source() {
        return new Provider(0, 1023, false);
    }

    SourceProvider<Offset, EventEnvelope<String>> source(int minSlice, int maxSlice) {
        return new Provider(minSlice, maxSlice, false);
    }

    /** A query that begins strictly at its offset, without going back. */
    SourceProvider<Offset, EventEnvelope<String>> strictSource(int minSlice, int maxSlice) {
        return new Provider(minSlice, maxSlice, true);
    }

    private final class Provider extends SourceProvider<Offset, EventEnvelope<String>>
            implements BySlicesSourceProvider, EventTimestampQuery, LoadEventQuery {

        private final int minSlice;
        private final int maxSlice;
        private final boolean isStrict;

        private Provider(int minSlice, int maxSlice, boolean isStrict) {
            this.minSlice = minSlice;
            this.maxSlice = maxSlice;
            this.isStrict = isStrict;
        }

        @Override
        public CompletionStage<Source<EventEnvelope<String>, NotUsed>> source(
                Supplier<CompletionStage<Optional<Offset>>> offset) {
            return offset.get().thenApply(from -> {
                startedFrom.add(from);
                return Source.from(delivered.stream()
                        .filter(event -> event.slice() >= minSlice && event.slice() <= maxSlice)
                        .filter(event ->
                                !isStrict || from.isEmpty() || !time(event).isBefore(time(from.get())))
                        .toList());
            });
        }

        private static Instant time(EventEnvelope<String> event) {
            return time(event.offset());
        }

        private static Instant time(Offset offset) {
            return ((TimestampOffset) offset).timestamp();
        }

        @Override
        public Offset extractOffset(EventEnvelope<String> envelope) {
            return envelope.offset();
        }

        @Override
        public long extractCreationTime(EventEnvelope<String> envelope) {
            return envelope.timestamp();
        }

        @Override
        public int minSlice() {
            return minSlice;
        }

        @Override
        public int maxSlice() {
            return maxSlice;
        }

        @Override
        public CompletionStage<Optional<Instant>> timestampOf(String persistenceId, long seqNr) {
            EventEnvelope<String> event = events.get(persistenceId + "/" + seqNr);
            return CompletableFuture.completedFuture(
                    Optional.ofNullable(event).map(found -> ((TimestampOffset) found.offset()).timestamp()));
        }

        @Override
        @SuppressWarnings("unchecked") // events are strings here
        public <E> CompletionStage<EventEnvelope<E>> loadEnvelope(String persistenceId, long seqNr) {
            loaded.add(persistenceId + "/" + seqNr);
            EventEnvelope<String> event = events.get(persistenceId + "/" + seqNr);
            return event == null
                    ? CompletableFuture.failedFuture(new NoSuchElementException("deleted"))
                    : CompletableFuture.completedFuture((EventEnvelope<E>) event);
        }
    }
}
