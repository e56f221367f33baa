package io.dynajournal.cli.copy;

import io.dynajournal.internal.model.Event;
import io.dynajournal.internal.model.Payload;
import io.dynajournal.internal.model.StoredEvent;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A part of a log, and what is in it. The digest is that of the digest before an event together with the event. It does not cover
 * times: a format may raise them.
 *
 * @param from the sequence number before the part
 * @param to the last sequence number that is accounted for
 * @param count how many events there are in between
 * @param digest in hexadecimal
 */
record Position(long from, long to, long count, String digest) {

    /** An empty part that starts after a sequence number. */
    static Position after(long seqNr) {
        return new Position(seqNr, seqNr, 0, "");
    }

    /** With one more event. */
    Position plus(StoredEvent event) {
        MessageDigest sha = sha256();
        sha.update(HexFormat.of().parseHex(digest));
        sha.update(ByteBuffer.allocate(Long.BYTES).putLong(event.seqNr()).array());
        add(sha, event.writer());
        Event content = event.event();
        add(sha, content.payload());
        add(sha, content.adapterManifest());
        new TreeSet<>(content.tags()).forEach(tag -> add(sha, tag));
        add(sha, content.metadata());
        return new Position(from, event.seqNr(), count + 1, HexFormat.of().formatHex(sha.digest()));
    }

    boolean hasSameEvents(Position other) {
        return count == other.count && digest.equals(other.digest);
    }

    private static void add(MessageDigest sha, @Nullable Payload payload) {
        if (payload == null) {
            add(sha, new byte[0]);
            return;
        }
        sha.update(ByteBuffer.allocate(Integer.BYTES)
                .putInt(payload.serializerId())
                .array());
        add(sha, payload.manifest());
        add(sha, payload.bytes());
    }

    private static void add(MessageDigest sha, String text) {
        add(sha, text.getBytes(StandardCharsets.UTF_8));
    }

    /** With its length, so that the ends of neighbours cannot be confused. */
    private static void add(MessageDigest sha, byte[] bytes) {
        sha.update(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).array());
        sha.update(bytes);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256", e);
        }
    }
}
