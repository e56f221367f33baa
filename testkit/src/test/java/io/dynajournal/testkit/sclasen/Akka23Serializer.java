package io.dynajournal.testkit.sclasen;

import io.dynajournal.testkit.Await;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/**
 * The serializer of Akka 2.3.4 in its own JVM, which gets its jars and the source {@code akka23/Akka23.java}. The
 * build has copied the jars.
 */
final class Akka23Serializer implements AutoCloseable {

    private final Process process;
    private final BufferedReader answers;

    private Akka23Serializer(Process process) {
        this.process = process;
        this.answers = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.US_ASCII));
    }

    static Akka23Serializer start() throws IOException {
        Path source =
                Path.of(URI.create(Objects.requireNonNull(Akka23Serializer.class.getResource("/akka23/Akka23.java"))
                        .toString()));
        Path jars = source.resolveSibling("../../akka23").normalize();
        return new Akka23Serializer(new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--add-opens=java.base/java.lang=ALL-UNNAMED",
                        "-cp",
                        jars + "/*",
                        source.toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start());
    }

    /** A {@code PersistentRepr} serialized by Akka; a string is serialized by Java, bytes stay as they are. */
    byte[] serialize(Object payload, long seqNr, String persistenceId, boolean deleted) {
        boolean text = payload instanceof String;
        byte[] bytes = text ? ((String) payload).getBytes(StandardCharsets.UTF_8) : (byte[]) payload;
        return Base64.getDecoder()
                .decode(ask("write " + (text ? "text " : "bytes ") + base64(bytes) + " " + seqNr + " "
                        + base64(persistenceId.getBytes(StandardCharsets.UTF_8)) + " " + deleted));
    }

    /** What Akka reads: payload, sequence number, persistence id and whether it is deleted. */
    List<String> deserialize(byte[] bytes) {
        String[] words = ask("read " + base64(bytes)).split(" ", -1);
        return List.of(text(words[0]), words[1], text(words[2]), words[3]);
    }

    private static String base64(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }

    private static String text(String base64) {
        return new String(Base64.getDecoder().decode(base64), StandardCharsets.UTF_8);
    }

    private String ask(String line) {
        return Await.result(CompletableFuture.supplyAsync(() -> {
            try {
                OutputStream questions = process.getOutputStream();
                questions.write((line + "\n").getBytes(StandardCharsets.US_ASCII));
                questions.flush();
                return Objects.requireNonNull(answers.readLine(), "Akka 2.3.4 ended at: " + line);
            } catch (IOException e) {
                throw new IllegalStateException(line, e);
            }
        }));
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
