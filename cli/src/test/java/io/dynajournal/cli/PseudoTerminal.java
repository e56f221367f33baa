package io.dynajournal.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The command in a process of its own whose standard streams are a terminal, by {@code script} of util-linux. */
final class PseudoTerminal implements AutoCloseable {

    /** What Ctrl-C sends. */
    private static final int INTERRUPT = 3;

    private static final int COLUMNS = 100;

    private final Process process;
    private final OutputStream keyboard;
    private final StringBuilder screen = new StringBuilder();
    private final CompletableFuture<Void> read;

    private PseudoTerminal(Process process) {
        this.process = process;
        this.keyboard = process.getOutputStream();
        this.read = CompletableFuture.runAsync(this::read);
    }

    /** Whether there are a {@code script} and an {@code env} with the options used here; macOS and BSD have others. */
    static boolean isAvailable() {
        return help("script").contains("--return") && help("env").contains("--default-signal");
    }

    private static String help(String command) {
        try {
            Process help = new ProcessBuilder(command, "--help")
                    .redirectErrorStream(true)
                    .start();
            return new String(help.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException missing) {
            return "";
        }
    }

    /** @param words the command and its arguments; none may contain a single quote */
    static PseudoTerminal run(List<String> words) throws IOException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        // A class path does not fit into every shell's command line.
        Path options = Files.createTempFile("class-path", ".options");
        Files.writeString(options, "-cp \"" + System.getProperty("java.class.path") + "\"");
        String command = Stream.concat(
                        Stream.of(java, "-XX:TieredStopAtLevel=1", "@" + options, Main.class.getName()), words.stream())
                .map(word -> "'" + word + "'")
                // A build in the background ignores Ctrl-C, and its child processes would too.
                .collect(Collectors.joining(" ", "exec env --default-signal=INT ", ""));
        ProcessBuilder script =
                new ProcessBuilder("script", "-q", "-e", "-f", "-c", command, "/dev/null").redirectErrorStream(true);
        script.environment().put("TERM", "xterm-256color");
        script.environment().put("COLUMNS", String.valueOf(COLUMNS));
        script.environment().put("SHELL", "/bin/sh");
        script.environment().remove("NO_COLOR");
        return new PseudoTerminal(script.start());
    }

    private void read() {
        try (InputStream in = process.getInputStream()) {
            byte[] bytes = new byte[8192];
            for (int n = in.read(bytes); n >= 0; n = in.read(bytes)) {
                add(new String(bytes, 0, n, StandardCharsets.UTF_8));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private synchronized void add(String text) {
        screen.append(text);
        notifyAll();
    }

    /** What was printed so far, with control sequences. */
    synchronized String screen() {
        return screen.toString();
    }

    /** Waits until what was printed meets the condition. */
    synchronized void await(Predicate<String> condition) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!condition.test(screen.toString())) {
            long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
            if (left <= 0) {
                throw new AssertionError("not within 60 s: " + screen);
            }
            wait(left);
        }
    }

    void type(String text) throws IOException {
        keyboard.write(text.getBytes(StandardCharsets.UTF_8));
        keyboard.flush();
    }

    void interrupt() throws IOException {
        keyboard.write(INTERRUPT);
        keyboard.flush();
    }

    /** The exit code of the command, when it has ended and everything it printed was read. */
    int exitCode() throws InterruptedException {
        if (!process.waitFor(60, TimeUnit.SECONDS)) {
            throw new AssertionError("it has not ended within 60 s: " + screen());
        }
        read.join();
        return process.exitValue();
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }
}
