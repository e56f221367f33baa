package io.dynajournal.examples.demo;

import java.io.BufferedReader;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A {@link Worker} in a JVM of its own. */
final class WorkerProcess implements AutoCloseable {

    private static final int SECONDS_AT_MOST = 120;

    private final Process process;
    private final BufferedReader output;

    private WorkerProcess(Process process) {
        this.process = process;
        this.output = process.inputReader();
        // A worker that hangs is ended too.
        process.onExit()
                .orTimeout(SECONDS_AT_MOST, TimeUnit.SECONDS)
                .whenComplete((ended, timeout) -> process.toHandle().destroyForcibly());
    }

    static WorkerProcess start(URI endpoint, String kept, int carts, int items) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        // The process is too short-lived for the C2 compiler.
                        "-XX:TieredStopAtLevel=1",
                        // Replaces "embedded" in application.conf: that server would be killed together with the
                        // worker.
                        "-Ddynajournal.client.endpoint=" + endpoint,
                        "-Djava.io.tmpdir=" + System.getProperty("java.io.tmpdir"),
                        Worker.class.getName(),
                        kept,
                        String.valueOf(carts),
                        String.valueOf(items))
                .redirectError(Redirect.INHERIT);
        builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
        return new WorkerProcess(builder.start());
    }

    long pid() {
        return process.pid();
    }

    /** The next report, also of a worker that has been killed since; empty after the last. */
    Optional<Report> next() throws IOException {
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            Optional<Report> report = Report.parse(line);
            if (report.isPresent()) {
                return report;
            }
            System.err.println(line);
        }
        return Optional.empty();
    }

    /** Kills as {@code kill -9} does, through the process handle: {@code Process.destroyForcibly} would discard its output. */
    void kill() {
        process.toHandle().destroyForcibly();
    }

    int exitCode() throws InterruptedException {
        return process.waitFor();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
