package io.dynajournal.cli.export;

import io.dynajournal.cli.copy.Store.Journal;
import io.dynajournal.cli.terminal.UsageException;
import io.dynajournal.internal.layout.EventFormat;
import io.dynajournal.internal.model.Event;
import io.dynajournal.internal.model.StoredEvent;
import io.dynajournal.internal.store.PersistenceIds;
import io.dynajournal.internal.store.PersistenceIds.IdPage;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * An export, which is read as if it were a journal. Opening it reads and checks every line, so that nothing is imported of a file with
 * a bad one; in memory it has where each log is in the file. Thread-safe. Close it.
 */
public final class ExportFile implements AutoCloseable {

    private final Path file;
    private final FileChannel channel;
    private final Map<String, FileLog.Index> logs = new LinkedHashMap<>();
    private final boolean part;
    private final MessageDigest sha = sha256();
    private EventFormat format =
            EventFormat.COMPLETE.withTimes(0).withoutTags().withoutMetadata().withoutAdapterManifests();
    private String digest = "";
    private boolean hasHeader;
    private boolean complete;
    private long events;

    private ExportFile(Path file, FileChannel channel, boolean part) {
        this.file = file;
        this.channel = channel;
        this.part = part;
    }

    /**
     * Opens and checks a file.
     *
     * @param part whether the last line may be missing
     * @throws UsageException if the file cannot be read
     * @throws BadLine if a line is wrong; the message names it
     */
    public static ExportFile open(Path file, boolean part) {
        ExportFile opened;
        try {
            opened = new ExportFile(file, FileChannel.open(file), part);
        } catch (IOException e) {
            throw new UsageException("the file " + file + " cannot be read: " + e);
        }
        try {
            opened.index();
            return opened;
        } catch (IOException e) {
            opened.close();
            throw new UsageException("the file " + file + " cannot be read: " + e);
        } catch (RuntimeException e) {
            opened.close();
            throw e;
        }
    }

    private void index() throws IOException {
        try (InputStream in = new BufferedInputStream(new DigestInputStream(Files.newInputStream(file), sha))) {
            long number = 0;
            long offset = 0;
            ByteArrayOutputStream line = new ByteArrayOutputStream();
            int next;
            do {
                next = in.read();
                if (next >= 0 && next != '\n') {
                    line.write(next);
                } else if (line.size() > 0 || next == '\n') {
                    add(++number, offset, line.toByteArray(), next == '\n');
                    offset += line.size() + 1L;
                    line.reset();
                }
            } while (next >= 0);
            digest = HexFormat.of().formatHex(sha.digest());
            if (!complete && !part) {
                throw new BadLine("The file " + file + " has no last line: it was cut after line " + number
                        + ". Nothing of it was imported. Export again, or import what there is with --part.");
            }
        }
    }

    private void add(long number, long offset, byte[] bytes, boolean whole) {
        try {
            if (!whole) {
                throw new BadLine("it has no end: the file was cut");
            }
            add(offset, bytes, ExportLine.of(bytes));
        } catch (BadLine bad) {
            throw new BadLine(
                    "Line " + number + " of " + file + ": " + bad.getMessage() + ". Nothing of the file was imported.");
        }
    }

    private void add(long offset, byte[] bytes, ExportLine line) {
        if (complete) {
            throw new BadLine("it follows the last line of the export");
        }
        if (line instanceof ExportLine.Header header) {
            if (header.version() != ExportLine.VERSION) {
                throw new BadLine("version " + header.version() + " of the form is unknown; this one knows "
                        + ExportLine.VERSION);
            }
            hasHeader = true;
            return;
        }
        if (!hasHeader && !part) {
            throw new BadLine("the file does not begin as an export; a file of another origin needs --part");
        }
        if (line instanceof ExportLine.Stored stored) {
            log(stored.event().persistenceId()).add(stored.event(), offset, bytes.length + 1);
            format = widened(format, stored.event());
            events++;
        } else if (line instanceof ExportLine.Deleted deleted) {
            log(deleted.persistenceId()).deleted(deleted.toSeqNr());
        } else if (line instanceof ExportLine.End end) {
            log(end.persistenceId()).end(end.end());
        } else if (line instanceof ExportLine.Trailer trailer) {
            if (!part && (trailer.persistenceIds() != logs.size() || trailer.events() != events)) {
                throw new BadLine("the export has " + trailer.persistenceIds() + " persistence ids and "
                        + trailer.events() + " events, the lines before have " + logs.size() + " and " + events);
            }
            complete = true;
        }
    }

    private FileLog.Index log(String persistenceId) {
        return logs.computeIfAbsent(persistenceId, FileLog.Index::new);
    }

    /** What the events have, so that only what they really lose is named before an import. */
    private static EventFormat widened(EventFormat format, StoredEvent stored) {
        Event event = stored.event();
        long micros = stored.timestampMicros();
        long tick = micros == 0 ? 0 : micros % EventFormat.MILLIS == 0 ? EventFormat.MILLIS : 1;
        boolean finer = tick > 0 && (format.microsPerTick() == 0 || tick < format.microsPerTick());
        return new EventFormat(
                finer ? tick : format.microsPerTick(),
                format.tags() || !event.tags().isEmpty(),
                format.adapterManifests() || !event.adapterManifest().isEmpty(),
                format.metadata() || event.metadata() != null,
                format.writers());
    }

    /** How many events there are. */
    public long events() {
        return events;
    }

    /** How many persistence ids there are. */
    public int ids() {
        return logs.size();
    }

    /** Of all bytes, in hexadecimal: another file of the same name is another import. */
    public String digest() {
        return digest;
    }

    /** The events as a journal that can only be read. */
    public Journal journal() {
        List<String> all = List.copyOf(logs.keySet());
        PersistenceIds ids = start -> CompletableFuture.completedFuture(new IdPage(all, null));
        return new Journal(file.toString(), new FileLog(this, logs), ids, ids, format, false);
    }

    /** The events of a range of lines. */
    List<StoredEvent> read(long offset, int length) {
        try {
            ByteBuffer bytes = ByteBuffer.allocate(length);
            while (bytes.hasRemaining()) {
                if (channel.read(bytes, offset + bytes.position()) < 0) {
                    throw new IllegalStateException("The file " + file + " was cut while it was read");
                }
            }
            return events(bytes.array());
        } catch (IOException e) {
            throw new UncheckedIOException("The file " + file + " cannot be read", e);
        }
    }

    private static List<StoredEvent> events(byte[] lines) {
        List<StoredEvent> events = new ArrayList<>();
        int from = 0;
        for (int i = 0; i < lines.length; i++) {
            if (lines[i] == '\n') {
                byte[] line = Arrays.copyOfRange(lines, from, i);
                if (ExportLine.of(line) instanceof ExportLine.Stored stored) {
                    events.add(stored.event());
                }
                from = i + 1;
            }
        }
        return events;
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256", e);
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException("The file " + file + " cannot be closed", e);
        }
    }
}
