package io.dynajournal.cli.export;

/** A line that no export has. The message says what is wrong, without the payload. */
final class BadLine extends RuntimeException {
    private static final long serialVersionUID = 1L;

    BadLine(String message) {
        super(message);
    }
}
