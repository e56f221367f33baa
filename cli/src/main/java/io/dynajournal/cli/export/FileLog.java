package io.dynajournal.cli.export;

import io.dynajournal.internal.model.Event;
import io.dynajournal.internal.model.EventBatch;
import io.dynajournal.internal.model.Payload;
import io.dynajournal.internal.model.SeqRange;
import io.dynajournal.internal.model.StoredEvent;
import io.dynajournal.internal.store.EventLog;
import io.dynajournal.internal.store.EventPage;
import io.dynajournal.internal.store.LogEnd;
import io.dynajournal.internal.store.LogHead;
import io.dynajournal.internal.store.PageToken;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The logs of an export. They can only be read. Thread-safe. */
final class FileLog implements EventLog {

    private static final Event WITHOUT_CONTENT = Event.of(new Payload(0, "", new byte[0]));

    /** The minimum length of a range of lines, where the lines follow each other. */
    private static final int SEGMENT_BYTES = 256 * 1024;

    /**
     * Consecutive lines with events of one log.
     *
     * @param joined whether the first event was written together with the last one of the segment before
     */
    private record Segment(long offset, int length, long lastSeqNr, boolean joined) {}

    /** Where the events of a log are. Filled while the file is opened. */
    static final class Index {
        private final String persistenceId;
        private final List<Segment> segments = new ArrayList<>();
        private @Nullable StoredEvent last;
        private @Nullable LogEnd end;
        private long deletedTo;

        Index(String persistenceId) {
            this.persistenceId = persistenceId;
        }

        void add(StoredEvent event, long offset, int length) {
            checkOpen();
            long before = Math.max(last == null ? 0 : last.seqNr(), deletedTo);
            if (event.seqNr() <= before) {
                throw new BadLine("sequence number " + event.seqNr() + " of " + persistenceId + " follows " + before
                        + "; the events of a persistence id must be in order");
            }
            boolean joined = last != null && isWrittenTogether(last, event);
            @Nullable Segment open = segments.isEmpty() ? null : segments.get(segments.size() - 1);
            if (open != null
                    && open.offset + open.length == offset
                    && (joined || open.length < SEGMENT_BYTES)
                    && open.length + (long) length <= Integer.MAX_VALUE) {
                segments.set(
                        segments.size() - 1,
                        new Segment(open.offset, open.length + length, event.seqNr(), open.joined));
            } else {
                segments.add(new Segment(offset, length, event.seqNr(), joined));
            }
            // Without its payload: there is one of these for each log.
            last = new StoredEvent(
                    persistenceId, event.seqNr(), event.timestampMicros(), event.writer(), WITHOUT_CONTENT);
        }

        void deleted(long toSeqNr) {
            checkOpen();
            deletedTo = toSeqNr;
        }

        void end(LogEnd at) {
            checkOpen();
            if (last != null && at.seqNr() < last.seqNr()) {
                throw new BadLine(
                        "the log of " + persistenceId + " ends at " + at.seqNr() + ", but has " + last.seqNr());
            }
            end = at;
        }

        private void checkOpen() {
            if (end != null) {
                throw new BadLine("it follows the end of the log of " + persistenceId);
            }
        }

        LogEnd end() {
            if (end != null) {
                return end;
            }
            return last == null
                    ? new LogEnd(deletedTo, 0, "", 0)
                    : new LogEnd(last.seqNr(), last.timestampMicros(), last.writer(), 0);
        }
    }

    /** As events of one commit. */
    private static boolean isWrittenTogether(StoredEvent event, StoredEvent next) {
        return next.seqNr() == event.seqNr() + 1
                && next.timestampMicros() == event.timestampMicros()
                && next.timestampMicros() > 0
                && next.writer().equals(event.writer());
    }

    private record NextSegment(int index) implements PageToken {}

    private final ExportFile file;
    private final Map<String, Index> logs;

    FileLog(ExportFile file, Map<String, Index> logs) {
        this.file = file;
        this.logs = logs;
    }

    @Override
    public CompletionStage<LogEnd> end(String persistenceId) {
        Index index = logs.get(persistenceId);
        return CompletableFuture.completedFuture(index == null ? LogEnd.empty(0) : index.end());
    }

    /** A page never ends between events that were written together. */
    @Override
    public CompletionStage<EventPage> read(String persistenceId, SeqRange range, @Nullable PageToken start) {
        Index index = logs.get(persistenceId);
        if (index == null) {
            return CompletableFuture.completedFuture(new EventPage(List.of(), 0, false, null));
        }
        long from = Math.max(range.from(), index.deletedTo + 1);
        int next = start instanceof NextSegment token ? token.index : 0;
        while (next < index.segments.size() && index.segments.get(next).lastSeqNr < from) {
            next++;
        }
        List<StoredEvent> events = new ArrayList<>();
        while (next < index.segments.size() && (events.isEmpty() || index.segments.get(next).joined)) {
            Segment segment = index.segments.get(next++);
            for (StoredEvent event : file.read(segment.offset, segment.length)) {
                if (event.seqNr() >= from && event.seqNr() <= range.to()) {
                    events.add(event);
                }
            }
        }
        boolean more = next < index.segments.size() && (events.isEmpty() || last(events) < range.to());
        return CompletableFuture.completedFuture(new EventPage(
                events, more ? last(events) : index.end().seqNr(), false, more ? new NextSegment(next) : null));
    }

    private static long last(List<StoredEvent> events) {
        return events.isEmpty() ? 0 : events.get(events.size() - 1).seqNr();
    }

    @Override
    public CompletionStage<LogHead> head(String persistenceId, long from) {
        return readOnly();
    }

    @Override
    public CompletionStage<LogEnd> append(EventBatch batch, @Nullable LogEnd seen) {
        return readOnly();
    }

    @Override
    public CompletionStage<Void> deleteTo(String persistenceId, long toSeqNr) {
        return readOnly();
    }

    @Override
    public CompletionStage<Void> reset(String persistenceId) {
        return readOnly();
    }

    private static <T> CompletionStage<T> readOnly() {
        return CompletableFuture.failedFuture(new UnsupportedOperationException("An export can only be read"));
    }
}
