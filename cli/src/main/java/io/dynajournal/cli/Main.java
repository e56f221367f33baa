package io.dynajournal.cli;

import io.dynajournal.cli.terminal.Console;
import io.dynajournal.cli.terminal.Terminal;
import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;

/** The program {@code dynajournal}. */
public final class Main {

    private static final int OUT_BUFFER_BYTES = 1 << 16;

    private Main() {}

    /** Runs one command and ends the JVM with its exit code. Texts are UTF-8, whatever the locale. */
    public static void main(String... words) {
        PrintStream out = new PrintStream(
                new BufferedOutputStream(new FileOutputStream(FileDescriptor.out), OUT_BUFFER_BYTES),
                false,
                StandardCharsets.UTF_8);
        PrintStream err = new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        int code = CommandRun.run(new Console(out, err, in, Terminal.detect()), ProcessArguments.inUtf8(words));
        out.flush();
        System.exit(code);
    }

    /** Runs a command whose output goes into pipes. */
    static int run(PrintStream out, PrintStream err, String... words) {
        BufferedReader nobody = new BufferedReader(new StringReader(""));
        int code = CommandRun.run(new Console(out, err, nobody, Terminal.NONE), words);
        out.flush();
        return code;
    }
}
