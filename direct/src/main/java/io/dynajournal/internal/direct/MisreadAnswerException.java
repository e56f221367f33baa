package io.dynajournal.internal.direct;

/** An answer arrived intact but could not be read, so that this module must be wrong about its format. */
final class MisreadAnswerException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    MisreadAnswerException(Throwable cause) {
        super("An intact answer could not be read: " + cause.getMessage(), cause);
    }
}
