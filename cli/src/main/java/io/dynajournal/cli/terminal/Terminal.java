package io.dynajournal.cli.terminal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Which of the standard streams are a terminal.
 *
 * @param colours whether its user wants colours
 * @param columns its width
 */
public record Terminal(boolean in, boolean out, boolean err, boolean colours, int columns) {

    private static final int DEFAULT_COLUMNS = 120;

    /** Everything is a file or a pipe. */
    public static final Terminal NONE = new Terminal(false, false, false, false, DEFAULT_COLUMNS);

    /** The streams of this process. */
    public static Terminal detect() {
        boolean colours = System.getenv("NO_COLOR") == null && !"dumb".equals(System.getenv("TERM"));
        return new Terminal(isTerminal(0), isTerminal(1), isTerminal(2), colours, width());
    }

    /** The script {@code ./dynajournal} finds out, and Linux knows it. Elsewhere output is as for a pipe. */
    private static boolean isTerminal(int descriptor) {
        @Nullable String known = System.getProperty("cli.terminals");
        if (known != null) {
            return known.indexOf((char) ('0' + descriptor)) >= 0;
        }
        try {
            String target = Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor))
                    .toString();
            return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty") || target.equals("/dev/console");
        } catch (IOException | UnsupportedOperationException notLinux) {
            return false;
        }
    }

    private static int width() {
        String known = System.getProperty("cli.columns", System.getenv("COLUMNS"));
        return known != null && known.matches("[1-9][0-9]{1,3}") ? Integer.parseInt(known) : DEFAULT_COLUMNS;
    }
}
