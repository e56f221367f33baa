package io.dynajournal.testkit.history;

/** A guarantee does not hold. */
final class Violation extends RuntimeException {

    private static final long serialVersionUID = 1L;

    Violation(String message) {
        super(message);
    }
}
