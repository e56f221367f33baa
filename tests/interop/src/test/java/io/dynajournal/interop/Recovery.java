package io.dynajournal.interop;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an entity was handed when it started.
 *
 * @param lastSeqNr the number behind which it goes on
 */
record Recovery(@Nullable Snapshot snapshot, List<Replayed> events, long lastSeqNr) {

    record Snapshot(long seqNr, String state) {}

    /** Who wrote an event is in its text and in the manifest of its adapter. */
    record Replayed(long seqNr, String manifest, String text) {

        static Replayed by(String author, long seqNr) {
            return new Replayed(seqNr, "by " + author, author + ":" + seqNr);
        }
    }
}
