package io.dynajournal.cli.doctor;

import io.dynajournal.internal.model.StoredEvent;
import io.dynajournal.internal.store.Finding;
import io.dynajournal.internal.store.FindingKind;
import io.dynajournal.internal.store.LruMap;
import java.util.Optional;

/** Finds a writer that wrote again after another one had. Each incarnation of an entity has a writer of its own. */
final class InterleavedWriters implements EventObserver {

    /** Two incarnations that run at the same time follow each other closely. */
    private static final int WRITERS_REMEMBERED = 1_000;

    private final LruMap<String, Long> earlier = new LruMap<>(WRITERS_REMEMBERED);

    private String current = "";
    private long lastSeqNr;
    private Optional<Finding> found = Optional.empty();

    @Override
    public void accept(StoredEvent event) {
        String writer = event.writer();
        if (!writer.isEmpty() && !writer.equals(current)) {
            Long last = earlier.get(writer);
            if (last != null && found.isEmpty()) {
                found = Optional.of(Finding.of(
                        FindingKind.INTERLEAVED_WRITERS,
                        event.persistenceId(),
                        event.seqNr(),
                        "writer " + writer + " wrote up to sequence number " + last + ", writer " + current + " up to "
                                + lastSeqNr + ", and then " + writer + " again"));
            }
            if (!current.isEmpty()) {
                earlier.put(current, lastSeqNr);
            }
            current = writer;
        }
        lastSeqNr = event.seqNr();
    }

    @Override
    public Optional<Finding> finding() {
        return found;
    }
}
