package io.dynajournal.bench.soak;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A JVM with entities. Commands are answered one after another; a killed process answers nothing. */
final class SoakProcess implements AutoCloseable {

    private final Process process;
    private final PrintWriter commands;
    private final BufferedReader answers;

    private SoakProcess(Process process) {
        this.process = process;
        this.commands = new PrintWriter(process.outputWriter(StandardCharsets.UTF_8), true);
        this.answers = process.inputReader(StandardCharsets.UTF_8);
    }

    /**
     * @param peer the directory in {@code tests/peers} whose class path it has
     * @param log for its error output
     * @param arguments of the program
     */
    static SoakProcess start(Path root, String peer, URI endpoint, Path log, List<String> arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:-UsePerfData",
                "-Dsoak.endpoint=" + endpoint,
                "io.dynajournal.peers.soak.SoakMain",
                "soak"));
        command.addAll(arguments);
        Path target = root.resolve("tests/peers").resolve(peer).resolve("target");
        try {
            ProcessBuilder builder =
                    new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()));
            builder.environment()
                    .put(
                            "CLASSPATH",
                            target.resolve("classes")
                                    + File.pathSeparator
                                    + Files.readString(target.resolve("class-path")));
            return new SoakProcess(builder.start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    synchronized String ask(String command) {
        commands.println(command);
        return answer();
    }

    /** The next line. */
    String answer() {
        try {
            String line = answers.readLine();
            if (line == null) {
                throw new IllegalStateException("the process of the entities has ended by itself; see its log");
            }
            return line;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** As {@code kill -9} does; returns when it has ended. */
    void kill() {
        process.toHandle().destroyForcibly();
        process.onExit().orTimeout(30, TimeUnit.SECONDS).join();
    }

    @Override
    public void close() {
        kill();
    }
}
