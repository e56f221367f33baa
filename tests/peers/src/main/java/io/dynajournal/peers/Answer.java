package io.dynajournal.peers;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The answer to a command: lines of fields separated by tabs; the last line reports the outcome. */
final class Answer {

    private final List<String> lines = new ArrayList<>();
    private final CompletableFuture<String> end = new CompletableFuture<>();

    void add(Object... fields) {
        lines.add(line(fields));
    }

    private static String line(Object... fields) {
        return Stream.of(fields).map(Object::toString).collect(Collectors.joining("\t"));
    }

    void done(long lastSeqNr) {
        end.complete(line("done", lastSeqNr));
    }

    void fail(Throwable cause) {
        cause.printStackTrace();
        fail(cause.toString());
    }

    void fail(String why) {
        end.complete(line("failed", why.replaceAll("\\s+", " ")));
    }

    /** All lines, once the command has ended. */
    List<String> await() throws InterruptedException, ExecutionException {
        String last = end.get();
        return Stream.concat(lines.stream(), Stream.of(last)).toList();
    }
}
