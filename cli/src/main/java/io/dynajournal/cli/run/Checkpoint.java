package io.dynajournal.cli.run;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.dynajournal.cli.terminal.UsageException;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What of a long run is done, by persistence id: a file of JSON lines, of which the first says whose it is. Each line is
 * written when the work it stands for is stored, so that work which is not recorded is at most done twice. Thread-safe.
 */
public final class Checkpoint implements AutoCloseable {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String ID = "id";
    private static final String SEQ_NR = "seqNr";
    private static final String DONE = "done";

    private final @Nullable Path file;
    private final @Nullable BufferedWriter writer;
    private final Set<String> done = new HashSet<>();
    private final Map<String, Long> reached = new HashMap<>();

    private Checkpoint(@Nullable Path file, @Nullable BufferedWriter writer) {
        this.file = file;
        this.writer = writer;
    }

    /** Records nothing. */
    public static Checkpoint none() {
        return new Checkpoint(null, null);
    }

    /**
     * Continues a file, or begins it.
     *
     * @param identity what must be equal in a run that continues another: the command and its options
     * @throws UsageException if the file is another run's
     */
    public static Checkpoint open(Path file, Map<String, String> identity) {
        ObjectNode header = JSON.valueToTree(new TreeMap<>(identity));
        try {
            List<String> lines = Files.exists(file) ? wholeLines(file) : List.of();
            if (!lines.isEmpty() && !header.equals(parsed(lines.get(0)))) {
                throw new UsageException("the checkpoint " + file + " belongs to another run: it has " + lines.get(0)
                        + ", this is " + header + "; name another file, or delete it to begin again");
            }
            BufferedWriter writer = Files.newBufferedWriter(
                    file, StandardCharsets.UTF_8, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            Checkpoint checkpoint = new Checkpoint(file, writer);
            if (lines.isEmpty()) {
                checkpoint.write(header);
            } else {
                lines.subList(1, lines.size()).forEach(checkpoint::read);
            }
            return checkpoint;
        } catch (IOException e) {
            throw new UsageException("the checkpoint " + file + " cannot be used: " + e);
        }
    }

    /** A line that a crash has cut is removed: what it stood for is done again. */
    private static List<String> wholeLines(Path file) throws IOException {
        String text = Files.readString(file, StandardCharsets.UTF_8);
        String whole = text.substring(0, text.lastIndexOf('\n') + 1);
        if (whole.length() < text.length()) {
            Files.writeString(file, whole, StandardCharsets.UTF_8);
        }
        return whole.lines().toList();
    }

    private static JsonNode parsed(String line) {
        try {
            return JSON.readTree(line);
        } catch (JsonProcessingException e) {
            throw new UsageException("the checkpoint has a line that is no JSON: " + line);
        }
    }

    private void read(String line) {
        JsonNode entry = parsed(line);
        String id = entry.path(ID).asText();
        if (entry.path(DONE).asBoolean()) {
            done.add(id);
            reached.remove(id);
        } else {
            reached.put(id, entry.path(SEQ_NR).asLong());
        }
    }

    /** Null if nothing is recorded. */
    public @Nullable Path file() {
        return file;
    }

    public synchronized boolean isDone(String persistenceId) {
        return done.contains(persistenceId);
    }

    /** How many persistence ids are done. */
    public synchronized int countDone() {
        return done.size();
    }

    /** The sum of the sequence numbers up to which ids are done that are not done as a whole. */
    public synchronized long sumReached() {
        return reached.values().stream().mapToLong(Long::longValue).sum();
    }

    /** Up to which sequence number an id is done; 0 if nothing is known of it. */
    public synchronized long reached(String persistenceId) {
        return reached.getOrDefault(persistenceId, 0L);
    }

    /** Records that an id is done up to a sequence number. */
    public synchronized void reached(String persistenceId, long seqNr) {
        if (writer != null) {
            reached.put(persistenceId, seqNr);
            write(JSON.createObjectNode().put(ID, persistenceId).put(SEQ_NR, seqNr));
        }
    }

    /** Records that an id is done. */
    public synchronized void done(String persistenceId) {
        if (writer != null) {
            done.add(persistenceId);
            reached.remove(persistenceId);
            write(JSON.createObjectNode().put(ID, persistenceId).put(DONE, true));
        }
    }

    private void write(ObjectNode line) {
        if (writer == null) {
            return;
        }
        try {
            writer.write(line.toString());
            writer.write('\n');
            writer.flush();
        } catch (IOException e) {
            throw new UncheckedIOException("The checkpoint " + file + " cannot be written", e);
        }
    }

    @Override
    public synchronized void close() {
        if (writer == null) {
            return;
        }
        try {
            writer.close();
        } catch (IOException e) {
            throw new UncheckedIOException("The checkpoint " + file + " cannot be written", e);
        }
    }
}
