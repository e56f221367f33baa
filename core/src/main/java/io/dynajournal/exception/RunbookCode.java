package io.dynajournal.exception;

import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The end of each message: the anchor of the exception's entry in the runbook of docs/operations.md, such as {@code
 * [runbook#writeconflict]}.
 */
final class RunbookCode {

    private static final Pattern AT_END = Pattern.compile(" \\[runbook#[a-z]+]$");

    private RunbookCode() {}

    /** A message with the code of an exception. It replaces that of a message which was taken from another exception. */
    static String added(@Nullable String message, Class<? extends Exception> exception) {
        return removed(message) + " [runbook#" + exception.getSimpleName().toLowerCase(Locale.ROOT) + "]";
    }

    static String removed(@Nullable String message) {
        return AT_END.matcher(String.valueOf(message)).replaceFirst("");
    }
}
