package io.dynajournal.cli.terminal;

/** What the exit code of a command means. */
public final class ExitCode {

    public static final int OK = 0;

    /** DynamoDB or the data did not allow it; the message says what is known. */
    public static final int FAILED = 1;

    /** The command line or a setting is wrong. Nothing was sent. */
    public static final int USAGE = 2;

    /** What was checked is not as it should be. */
    public static final int DIFFERENT = 3;

    /** A change was not confirmed. Nothing was changed. */
    public static final int NOT_CONFIRMED = 4;

    /** It was stopped by Ctrl-C before its end: the exit code of that signal. */
    public static final int STOPPED = 130;

    private ExitCode() {}
}
