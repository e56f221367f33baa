package io.dynajournal.cli;

import io.dynajournal.cli.terminal.UsageException;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * The arguments of this process in UTF-8. Java decodes them by the locale: under {@code LC_ALL=C} it replaces every other
 * character, and a command would read the wrong persistence id.
 */
final class ProcessArguments {

    private static final Path COMMAND_LINE = Path.of("/proc/self/cmdline");

    private ProcessArguments() {}

    /** @param words the arguments as Java has decoded them */
    static String[] inUtf8(String... words) {
        String charset = System.getProperty("sun.jnu.encoding", "UTF-8");
        boolean utf8 = Charset.isSupported(charset) && Charset.forName(charset).equals(StandardCharsets.UTF_8);
        if (utf8 || Arrays.stream(words).allMatch(ProcessArguments::isCertain)) {
            return words;
        }
        try {
            return last(words.length, Files.readAllBytes(COMMAND_LINE));
        } catch (IOException notLinux) {
            throw new UsageException("an argument cannot be read in this locale (" + charset
                    + "); set LC_ALL to one with UTF-8, such as C.UTF-8");
        }
    }

    /** A question mark may stand for a character that was not decoded. */
    private static boolean isCertain(String word) {
        return word.chars().allMatch(c -> c < 0x80 && c != '?');
    }

    /** The last arguments of a command line, each of which ends with a zero byte. */
    static String[] last(int count, byte[] commandLine) {
        String text = new String(commandLine, StandardCharsets.UTF_8);
        List<String> all = List.of(text.substring(0, text.length() - 1).split("\0", -1));
        return all.subList(all.size() - count, all.size()).toArray(String[]::new);
    }
}
