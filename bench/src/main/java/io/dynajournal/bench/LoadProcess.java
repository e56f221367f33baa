package io.dynajournal.bench;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/** The JVM in which a plugin is put under load. Thread-safe. */
final class LoadProcess implements AutoCloseable {

    private static final String PACKAGE = "io.dynajournal.peers.load.";

    /**
     * What a command reported.
     *
     * @param nanos from its beginning to its end
     * @param cpuNanos CPU time of the whole process
     */
    record Answer(
            int operations,
            long events,
            long nanos,
            long cpuNanos,
            long allocatedBytes,
            long medianNanos,
            long percentile99Nanos,
            long percentile999Nanos) {}

    /** The plugin could not execute a command. */
    static final class Failed extends Exception {
        private static final long serialVersionUID = 1L;

        Failed(String why) {
            super(why);
        }
    }

    private final Plugin plugin;
    private final Process process;
    private final PrintWriter commands;
    private final AtomicInteger numbers = new AtomicInteger();
    private final Map<String, CompletableFuture<Answer>> pending = new ConcurrentHashMap<>();
    /** Writes per second of each group, when it last wrote. */
    private final Map<String, Double> writeRates = new ConcurrentHashMap<>();

    private LoadProcess(Plugin plugin, Process process) {
        this.plugin = plugin;
        this.process = process;
        this.commands = new PrintWriter(process.outputWriter(StandardCharsets.UTF_8), true);
        Thread reading = new Thread(this::readAnswers, "answers of " + plugin.name());
        reading.setDaemon(true);
        reading.start();
    }

    /** Starts a JVM without waiting until it is ready. */
    static LoadProcess start(Setup setup, Plugin plugin, URI endpoint, Tables tables) {
        // First use of memory costs a virtual machine much CPU. Without this a plugin that allocates little would still
        // pay
        // for it while it is measured, when the others have already done so in the warm-up.
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xms512m",
                "-Xmx512m",
                "-XX:+AlwaysPreTouch"));
        setup.javaOptions(plugin.name()).forEach(command::add);
        plugin.settings().forEach(setting -> command.add("-D" + setting));
        command.add("-Dload.endpoint=" + endpoint);
        command.add("-Dload.host=" + endpoint.getHost());
        command.add("-Dload.port=" + endpoint.getPort());
        command.add("-Dload.journal-table=" + tables.events());
        command.add("-Dload.snapshot-table=" + tables.snapshots());
        command.add("-Dload.offset-table=" + tables.offsets());
        // It starts on the stub, which cannot describe tables.
        command.add("-Dload.check-tables=off");
        if (plugin.configuration() == null) {
            command.addAll(List.of(PACKAGE + "BareSdk", endpoint.toString(), tables.events()));
        } else {
            command.addAll(
                    List.of(PACKAGE + (plugin.projects() ? "ProjectionLoad" : "LoadMain"), plugin.configuration()));
        }
        Path target = setup.peers().resolve(plugin.module()).resolve("target");
        try {
            ProcessBuilder builder = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.appendTo(
                            setup.log(plugin.name()).toFile()));
            builder.environment()
                    .put(
                            "CLASSPATH",
                            target.resolve("classes")
                                    + File.pathSeparator
                                    + Files.readString(target.resolve("class-path")));
            return new LoadProcess(plugin, builder.start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void readAnswers() {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String[] fields = line.split("\t", -1);
                CompletableFuture<Answer> answered = pending.remove(fields[0]);
                if (answered == null) {
                    throw new IllegalStateException("an answer to no command: " + line);
                } else if (fields[1].equals("done")) {
                    answered.complete(answer(fields));
                } else {
                    answered.completeExceptionally(new Failed(fields[2]));
                }
            }
        } catch (IOException e) {
            fail(e.toString());
        }
        fail("its process has ended");
    }

    private void fail(String why) {
        pending.values().forEach(waiting -> waiting.completeExceptionally(new Failed(why)));
    }

    private static Answer answer(String[] fields) {
        long[] numbers = new long[fields.length - 2];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = Long.parseLong(fields[i + 2]);
        }
        return new Answer(
                Math.toIntExact(numbers[0]),
                numbers[1],
                numbers[2],
                numbers[3],
                numbers[4],
                numbers[5],
                numbers[6],
                numbers[7]);
    }

    /** Starts entities of a group; completes when they have recovered. */
    CompletableFuture<Answer> start(String group, int entities) {
        return ask("start", group, entities);
    }

    CompletableFuture<Answer> stop(String group) {
        return ask("stop", group);
    }

    /** Every entity of the group makes a number of writes, one after another. */
    CompletableFuture<Answer> write(String group, String how, int times, int events, int bytes) {
        return ask("write", group, how, times, events, bytes).thenApply(answer -> {
            writeRates.put(group, answer.operations() * 1e9 / answer.nanos());
            return answer;
        });
    }

    /** How many writes each entity of a group makes in a time, estimated from its last writes; at least a minimum. */
    int writesIn(Duration time, String group, int entities, int minimum) {
        return Math.max(minimum, (int) (writeRates.getOrDefault(group, 0.0) * time.toMillis() / 1000 / entities));
    }

    /** Single persists at a constant rate over all entities of the group. */
    CompletableFuture<Answer> persistAtRate(String group, int perSecond, Scale.CloudTurn turn, long seed) {
        return ask(
                "persist-at-rate",
                group,
                perSecond,
                turn.leadIn().toMillis(),
                turn.measured().toMillis(),
                Workloads.EVENT_BYTES,
                seed);
    }

    /** Runs a projection of the group's events until it has stored the offsets of this number of events. */
    CompletableFuture<Answer> project(String group, String kind, String name, int events) {
        return ask("project", group, kind, name, events);
    }

    CompletableFuture<Answer> snapshot(String group, int bytes) {
        return ask("snapshot", group, bytes);
    }

    private CompletableFuture<Answer> ask(Object... fields) {
        String number = Integer.toString(numbers.incrementAndGet());
        CompletableFuture<Answer> answer = new CompletableFuture<>();
        pending.put(number, answer);
        StringBuilder line = new StringBuilder(number);
        for (Object field : fields) {
            line.append('\t').append(field);
        }
        synchronized (commands) {
            commands.println(line);
        }
        if (!process.isAlive()) {
            fail("its process has ended");
        }
        return answer;
    }

    /** Waits for as long as the slowest plugin may take. */
    static <T> T await(CompletableFuture<T> answer) throws Failed {
        try {
            return answer.get(15, TimeUnit.MINUTES);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Failed failed ? failed : new Failed(String.valueOf(e.getCause()));
        } catch (TimeoutException e) {
            throw new Failed("no answer in 15 minutes");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    /** Closes the JVM's input first, so that it ends in order and writes its flight recording. */
    @Override
    public void close() {
        commands.close();
        try {
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public String toString() {
        return plugin.name();
    }
}
