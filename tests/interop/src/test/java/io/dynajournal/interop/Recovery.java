package io.dynajournal.interop;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an entity recovered.
 *
 * @param lastSeqNr the last sequence number
 */
record Recovery(@Nullable Snapshot snapshot, List<Replayed> events, long lastSeqNr) {

    record Snapshot(long seqNr, String state) {}

    /** The writer of an event is part of its text and of its adapter's manifest. */
    record Replayed(long seqNr, String manifest, String text) {

        static Replayed by(String author, long seqNr) {
            return by(author, seqNr, 0);
        }

        /** @param padding the number of characters that make it larger */
        static Replayed by(String author, long seqNr, int padding) {
            return new Replayed(seqNr, "by " + author, author + ":" + seqNr + ".".repeat(padding));
        }
    }
}
