package io.dynajournal.cli;

import io.dynajournal.internal.model.Payload;
import io.dynajournal.internal.model.SeqRange;
import io.dynajournal.internal.model.SnapshotCriteria;
import io.dynajournal.internal.model.StoredEvent;
import io.dynajournal.internal.model.StoredSnapshot;
import io.dynajournal.internal.store.EventLog;
import io.dynajournal.internal.store.EventPage;
import io.dynajournal.internal.store.PageToken;
import io.dynajournal.internal.store.PersistenceIds;
import io.dynajournal.internal.store.SnapshotTable;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Base64;
import java.util.Deque;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The command {@code dynajournal}. Its exit code is 0 for success, 1 for a failure, 2 for wrong usage. */
public final class Main {

    private final Arguments arguments;
    private final Tables tables;
    private final Output out;

    private Main(Arguments arguments, Tables tables, PrintStream out) {
        this.arguments = arguments;
        this.tables = tables;
        this.out = new Output(out, arguments.has("--json"));
    }

    /** Runs one command and ends the JVM with its exit code. */
    public static void main(String... words) {
        PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
        int code = run(out, System.err, words);
        out.flush();
        System.exit(code);
    }

    static int run(PrintStream out, PrintStream err, String... words) {
        try {
            Arguments arguments = Arguments.parse(words);
            if (arguments.has("--help")) {
                out.println(Usage.TEXT);
                return 0;
            }
            try (Tables tables = Tables.open(arguments)) {
                new Main(arguments, tables, out).run();
            }
            return 0;
        } catch (Usage e) {
            err.println("dynajournal: " + e.getMessage());
            err.println(Usage.TEXT);
            return 2;
        } catch (RuntimeException e) {
            Throwable cause = e instanceof CompletionException && e.getCause() != null ? e.getCause() : e;
            err.println("dynajournal: " + (cause.getMessage() == null ? cause : cause.getMessage()));
            return 1;
        }
    }

    private void run() {
        switch (arguments.command()) {
            case "events" -> events(arguments.id());
            case "highest" -> highest(arguments.id());
            case "snapshots" -> snapshots(arguments.id());
            case "ids" -> ids();
            case "" -> throw new Usage("no command given");
            default -> throw new Usage("unknown command " + arguments.command());
        }
    }

    private void events(String id) {
        EventLog log = tables.journal().open(tables.dynamo());
        long from = Math.max(1, arguments.number("--from", 1));
        SeqRange range = SeqRange.singleEvents(from, arguments.number("--to", Long.MAX_VALUE), Long.MAX_VALUE);
        @Nullable PageToken next = null;
        do {
            EventPage page = result(log.read(id, range, next));
            page.events().forEach(event -> out.line(values(event)));
            next = page.next();
        } while (next != null);
    }

    private static Map<String, Object> values(StoredEvent stored) {
        Map<String, Object> values = Output.values("seqNr", stored.seqNr());
        if (stored.timestampMicros() > 0) {
            values.put("timestamp", stored.timestampMicros() / 1000);
        }
        values.put("writer", stored.writer());
        Payload payload = stored.event().payload();
        values.put("serializerId", payload.serializerId());
        values.put("manifest", payload.manifest());
        if (!stored.event().adapterManifest().isEmpty()) {
            values.put("adapterManifest", stored.event().adapterManifest());
        }
        values.put("tags", new TreeSet<>(stored.event().tags()));
        values.put("payload", Base64.getEncoder().encodeToString(payload.bytes()));
        return values;
    }

    private void highest(String id) {
        long highest = result(tables.journal().open(tables.dynamo()).end(id)).seqNr();
        out.line(Output.values("persistenceId", id, "highestSeqNr", highest));
    }

    /** Finds the sequence numbers from the latest downwards, then loads one snapshot at a time: all may not fit into memory. */
    private void snapshots(String id) {
        SnapshotTable table = tables.snapshots().open(tables.dynamo());
        Deque<Long> seqNrs = new ArrayDeque<>();
        Optional<StoredSnapshot> found = result(table.load(id, SnapshotCriteria.ALL));
        while (found.isPresent()) {
            long seqNr = found.get().seqNr();
            seqNrs.push(seqNr);
            found = seqNr == 0
                    ? Optional.empty()
                    : result(table.load(id, new SnapshotCriteria(0, seqNr - 1, 0, Long.MAX_VALUE)));
        }
        for (long seqNr : seqNrs) {
            result(table.load(id, SnapshotCriteria.exactly(seqNr))).ifPresent(this::line);
        }
    }

    private void line(StoredSnapshot snapshot) {
        out.line(Output.values(
                "seqNr", snapshot.seqNr(),
                "timestamp", snapshot.timestamp(),
                "serializerId", snapshot.payload().serializerId(),
                "manifest", snapshot.payload().manifest(),
                "payload", Base64.getEncoder().encodeToString(snapshot.payload().bytes())));
    }

    private void ids() {
        if (!arguments.ids().isEmpty()) {
            throw new Usage("ids requires no persistence id");
        }
        PersistenceIds ids = tables.journal().ids(tables.dynamo());
        @Nullable PageToken next = null;
        do {
            PersistenceIds.IdPage page = result(ids.read(next));
            page.ids().forEach(id -> out.line(Output.values("persistenceId", id)));
            next = page.next();
        } while (next != null);
    }

    private static <T> T result(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }
}
