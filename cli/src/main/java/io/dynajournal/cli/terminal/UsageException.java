package io.dynajournal.cli.terminal;

/** The command line, or a setting that it names, is wrong: exit code 2. */
public final class UsageException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public UsageException(String message) {
        super(message);
    }
}
