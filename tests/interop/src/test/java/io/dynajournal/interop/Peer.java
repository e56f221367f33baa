package io.dynajournal.interop;

import io.dynajournal.interop.Recovery.Replayed;
import io.dynajournal.interop.Recovery.Snapshot;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The program of {@code tests/peers} on one of its class paths, in its own JVM. */
final class Peer implements AutoCloseable {

    private static final int PATIENCE_SECONDS = 20;

    private static final String GONE = "gone";

    private final String name;
    private final Process process;
    private final Path log;
    private final PrintWriter commands;
    private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();

    private Peer(String name, Process process, Path log) {
        this.name = name;
        this.process = process;
        this.log = log;
        this.commands = new PrintWriter(process.outputWriter(StandardCharsets.UTF_8), true);
        Thread reading = new Thread(this::readAnswers, "answers of " + name);
        reading.setDaemon(true);
        reading.start();
    }

    /**
     * Starts a peer without waiting until it is ready.
     *
     * @param module the directory in {@code tests/peers}
     * @param configuration the configuration there
     * @param properties what that leaves open
     */
    static Peer start(String module, String configuration, Map<String, String> properties) {
        Path target = Path.of(System.getProperty("peers.directory"), module, "target");
        Path log = target.resolve(configuration + ".log");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx256m"));
        properties.forEach((key, value) -> command.add("-D" + key + "=" + value));
        command.addAll(List.of("io.dynajournal.peers.PeerMain", configuration, module));
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(log.toFile());
        try {
            builder.environment()
                    .put(
                            "CLASSPATH",
                            target.resolve("classes")
                                    + File.pathSeparator
                                    + Files.readString(target.resolve("class-path")));
            return new Peer(module, builder.start(), log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void readAnswers() {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            lines.lines().forEach(answers::add);
        } catch (IOException | UncheckedIOException e) {
            answers.add(GONE + "\t" + e);
        }
        answers.add(GONE);
    }

    /** The prefix of the texts of its events. */
    String name() {
        return name;
    }

    Recovery start(Entity entity) {
        List<String[]> answer = ask("start", entity, entity.journalPlugin(), entity.snapshotPlugin());
        @Nullable Snapshot snapshot = null;
        List<Replayed> events = new ArrayList<>();
        for (String[] fields : answer) {
            switch (fields[0]) {
                case "snapshot" -> snapshot = new Snapshot(Long.parseLong(fields[1]), fields[2]);
                case "event" -> events.add(new Replayed(Long.parseLong(fields[1]), fields[2], fields[3]));
                default -> {
                    return new Recovery(snapshot, events, Long.parseLong(fields[1]));
                }
            }
        }
        throw new AssertionError("no end");
    }

    void stop(Entity entity) {
        ask("stop", entity);
    }

    /** This many atomic writes of one event each, one after another. */
    void persist(Entity entity, int count, int padding) {
        ask("persist", entity, count, padding);
    }

    /** This many atomic writes of one event each, sent together. */
    void persistEach(Entity entity, int count) {
        ask("persistEach", entity, count);
    }

    /** One atomic write. */
    void persistAll(Entity entity, int count, int padding) {
        ask("persistAll", entity, count, padding);
    }

    /** One atomic write, and the snapshot that an entity takes when it handles one of its events. */
    void persistAllAndSnapshotAt(Entity entity, int count, long seqNr) {
        ask("persistAllAndSnapshotAt", entity, count, seqNr);
    }

    /** An event that cannot be serialized: its sequence number is skipped. */
    void reject(Entity entity) {
        ask("reject", entity);
    }

    void snapshot(Entity entity) {
        ask("snapshot", entity);
    }

    void deleteEventsTo(Entity entity, long seqNr) {
        ask("deleteEventsTo", entity, seqNr);
    }

    void deleteSnapshot(Entity entity, long seqNr) {
        ask("deleteSnapshot", entity, seqNr);
    }

    void deleteSnapshotsTo(Entity entity, long seqNr) {
        ask("deleteSnapshotsTo", entity, seqNr);
    }

    /** The lines of the response; the last one reports success. */
    private List<String[]> ask(String command, Entity entity, Object... arguments) {
        StringBuilder line = new StringBuilder(command).append('\t').append(entity.id());
        for (Object argument : arguments) {
            line.append('\t').append(argument);
        }
        if (!process.isAlive()) {
            throw failed(line.toString(), "it has ended", null);
        }
        commands.println(line);
        List<String[]> answer = new ArrayList<>();
        while (true) {
            String[] fields = next(line.toString()).split("\t", -1);
            answer.add(fields);
            switch (fields[0]) {
                case "done" -> {
                    return answer;
                }
                case "failed", GONE -> throw failed(line.toString(), String.join(" ", fields), null);
                default -> {
                    // There is more.
                }
            }
        }
    }

    private String next(String command) {
        try {
            String line = answers.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
            if (line == null) {
                // A late response would be taken for that of the next command.
                process.destroyForcibly();
                throw failed(command, "nothing came in " + PATIENCE_SECONDS + " seconds", null);
            }
            return line;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw failed(command, "interrupted", e);
        }
    }

    private AssertionError failed(String command, String answer, @Nullable Exception cause) {
        return new AssertionError(name + " answered \"" + command + "\" with: " + answer + "; see " + log, cause);
    }

    /** Ends the process; what it still does is ignored. */
    @Override
    public void close() {
        process.destroyForcibly();
    }
}
