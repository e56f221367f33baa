package io.dynajournal.wire;

/** Stored bytes that cannot be what they claim to be. The message has offsets and lengths, never content. */
public final class MalformedBytes extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public MalformedBytes(String message) {
        super(message);
    }
}
