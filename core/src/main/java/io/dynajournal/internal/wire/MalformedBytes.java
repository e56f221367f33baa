package io.dynajournal.internal.wire;

/** Stored bytes that do not have the expected format. The message has offsets and lengths, never content. */
public final class MalformedBytes extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public MalformedBytes(String message) {
        super(message);
    }
}
