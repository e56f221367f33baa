package io.dynajournal.cli.export;

import io.dynajournal.cli.copy.Store.Journal;
import io.dynajournal.cli.store.Stores;
import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.model.SeqRange;
import io.dynajournal.internal.model.StoredEvent;
import io.dynajournal.internal.store.EventPage;
import io.dynajournal.internal.store.LogEnd;
import io.dynajournal.internal.store.PageToken;
import io.dynajournal.internal.store.Stages;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes logs as lines. The lines of one page are written together, those of several persistence ids may alternate. Thread-safe.
 */
public final class ExportWriter {

    /** Nobody reads the output any more, or the disk is full. */
    public static final class OutputFailed extends RuntimeException {
        private static final long serialVersionUID = 1L;

        OutputFailed(String reason) {
            super("the output cannot be written: " + reason);
        }
    }

    /** A log that is deleted during each attempt is deleted faster than it is read. */
    private static final int MAX_ATTEMPTS = 5;

    private final Journal journal;
    private final OutputStream out;
    private final LongConsumer exported;
    private long ids;
    private long events;

    /**
     * Writes the first line.
     *
     * @param layout for people who find the file
     * @param exported receives the number of events after each page; it may throw to stop
     */
    public ExportWriter(Journal journal, String layout, OutputStream out, LongConsumer exported) {
        this.journal = journal;
        this.out = out;
        this.exported = exported;
        write(List.of(new ExportLine.Header(
                ExportLine.VERSION, layout, journal.table(), Instant.now().toString())));
    }

    /** Writes a log, and where it ends; nothing if there is none. */
    public void log(String persistenceId) {
        LogEnd end = Stores.await(journal.log().end(persistenceId));
        if (end.seqNr() == 0) {
            return;
        }
        LogLines lines = new LogLines(persistenceId);
        for (int attempt = 1; ; attempt++) {
            try {
                lines.write();
                break;
            } catch (CompletionException e) {
                if (!(Stages.unwrap(e) instanceof StoreException.LogMoved) || attempt == MAX_ATTEMPTS) {
                    throw e;
                }
            }
        }
        write(lines.last(end));
        addId();
    }

    /** The lines of one log. */
    private final class LogLines {
        private final String persistenceId;
        private @Nullable StoredEvent first;
        private @Nullable StoredEvent last;

        LogLines(String persistenceId) {
            this.persistenceId = persistenceId;
        }

        /** The events after those that were written. */
        void write() {
            SeqRange range = SeqRange.singleEvents(last == null ? 1 : last.seqNr() + 1, Long.MAX_VALUE, Long.MAX_VALUE);
            @Nullable PageToken next = null;
            do {
                EventPage page = Stores.await(journal.log().read(persistenceId, range, next));
                List<ExportLine> lines = new ArrayList<>();
                for (StoredEvent event : page.events()) {
                    lines.add(new ExportLine.Stored(event));
                    first = first == null ? event : first;
                    last = event;
                }
                ExportWriter.this.write(lines);
                count(page.events().size());
                next = page.next();
            } while (next != null);
        }

        /** What was deleted meanwhile, and where the log ends. */
        List<ExportLine> last(LogEnd before) {
            List<ExportLine> lines = new ArrayList<>();
            LogEnd end = before;
            if (first != null && last != null) {
                EventPage now = Stores.await(
                        journal.log().read(persistenceId, SeqRange.singleEvents(1, last.seqNr(), 1), null));
                long deleted = now.events().isEmpty()
                        ? last.seqNr()
                        : now.events().get(0).seqNr() - 1;
                if (deleted >= first.seqNr()) {
                    lines.add(new ExportLine.Deleted(persistenceId, deleted));
                }
                if (last.seqNr() > end.seqNr()) {
                    end = new LogEnd(last.seqNr(), last.timestampMicros(), last.writer(), 0);
                }
            }
            lines.add(new ExportLine.End(persistenceId, end));
            return lines;
        }
    }

    private void count(int more) {
        synchronized (this) {
            events += more;
        }
        exported.accept(more);
    }

    private synchronized void addId() {
        ids++;
    }

    /** Writes the last line, without which an export is incomplete. */
    public synchronized void complete() {
        write(List.of(new ExportLine.Trailer(ids, events)));
        try {
            out.flush();
        } catch (IOException e) {
            throw new OutputFailed(String.valueOf(e.getMessage()));
        }
    }

    /** How many events were written. */
    public synchronized long events() {
        return events;
    }

    /** How many persistence ids were written. */
    public synchronized long ids() {
        return ids;
    }

    private synchronized void write(List<ExportLine> lines) {
        try {
            for (ExportLine line : lines) {
                out.write((line.json() + "\n").getBytes(StandardCharsets.UTF_8));
            }
        } catch (IOException e) {
            throw new OutputFailed(String.valueOf(e.getMessage()));
        }
        // Standard output does not throw.
        if (out instanceof PrintStream standard && standard.checkError()) {
            throw new OutputFailed("standard output is closed or its disk is full");
        }
    }
}
