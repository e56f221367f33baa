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

    private static final int SECONDS_AT_MOST = 90;

    private final Process process;
    private final BufferedReader output;

    private WorkerProcess(Process process) {
        this.process = process;
        this.output = process.inputReader();
        // One that hangs ends too, and its reports with it.
        process.onExit()
                .orTimeout(SECONDS_AT_MOST, TimeUnit.SECONDS)
                .whenComplete((ended, timeout) -> process.toHandle().destroyForcibly());
    }

    static WorkerProcess start(URI endpoint, String kept, int carts, int items) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        // It lives too briefly to repay the second compiler.
                        "-XX:TieredStopAtLevel=1",
                        // Instead of "embedded" in application.conf: that server would be killed along with the worker.
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

    /** The next report, also of a worker that has died since; empty after the last. */
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

    /** What {@code kill -9} does. By its handle, because the process's own method would throw away what it has told. */
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
