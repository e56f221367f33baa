package io.dynajournal.journal;

import akka.persistence.AtomicWrite;
import io.dynajournal.model.Event;
import io.dynajournal.store.StoreException;
import io.dynajournal.toolkit.Stages;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An atomic write after its serialization.
 *
 * @param events empty if it was rejected
 * @param rejection why it cannot be stored
 */
record SerializedWrite(
        String persistenceId, String writer, long firstSeqNr, List<Event> events, Optional<Exception> rejection) {

    static SerializedWrite of(AtomicWrite write, @Nullable List<Event> events, @Nullable Throwable failure) {
        Optional<Exception> rejection = Optional.ofNullable(failure).map(SerializedWrite::exception);
        return new SerializedWrite(
                write.persistenceId(),
                write.payload().head().writerUuid(),
                write.lowestSequenceNr(),
                events == null ? List.of() : events,
                rejection);
    }

    /** Rejected if one of these is about an event of it; otherwise as it is. */
    SerializedWrite rejectedBy(List<StoreException.ItemTooLarge> rejections) {
        return rejections.stream()
                .filter(tooLarge -> tooLarge.seqNr() >= firstSeqNr && tooLarge.seqNr() < firstSeqNr + events.size())
                .findFirst()
                .map(tooLarge -> new SerializedWrite(
                        persistenceId, writer, firstSeqNr, List.of(), Optional.<Exception>of(tooLarge)))
                .orElse(this);
    }

    private static Exception exception(Throwable failure) {
        Throwable cause = Stages.unwrap(failure);
        return cause instanceof Exception exception ? exception : new IllegalStateException(cause);
    }

    /** Whether the two may be stored in one commit. */
    boolean follows(SerializedWrite before) {
        return persistenceId.equals(before.persistenceId)
                && writer.equals(before.writer)
                && firstSeqNr == before.firstSeqNr + before.events.size();
    }
}
