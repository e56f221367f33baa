package io.dynajournal.cli;

import io.dynajournal.cli.options.IdArgument;
import io.dynajournal.cli.options.OutputOptions;
import io.dynajournal.cli.options.PayloadOption;
import io.dynajournal.cli.options.SeqNr;
import io.dynajournal.cli.options.StoreOptions;
import io.dynajournal.cli.store.OpenStore;
import io.dynajournal.cli.store.StoreKind;
import io.dynajournal.cli.store.Stores;
import io.dynajournal.cli.terminal.Console;
import io.dynajournal.cli.terminal.ExitCode;
import io.dynajournal.cli.terminal.Output;
import io.dynajournal.internal.layout.JournalLayout;
import io.dynajournal.internal.model.Payload;
import io.dynajournal.internal.model.SeqRange;
import io.dynajournal.internal.model.StoredEvent;
import io.dynajournal.internal.store.EventLog;
import io.dynajournal.internal.store.EventPage;
import io.dynajournal.internal.store.PageToken;
import io.dynajournal.listener.RequestListener;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The events of a persistence id. */
@Command(
        name = "events",
        description = "Prints the events of a persistence id, in order. Deleted and expired events are not printed.",
        footer = {
            "",
            "examples:",
            "  dynajournal events 'ShoppingCart|cart-7'",
            "  dynajournal events --follow --payload auto --json 'ShoppingCart|cart-7'",
            "  dynajournal events --from 100 --to 199 --json 'ShoppingCart|cart-7'",
            "  dynajournal events --layout akka1 --table my-journal --set journal-name=orders -- -17"
        })
final class EventsCommand implements Callable<Integer> {

    private static final long POLL_NANOS = TimeUnit.SECONDS.toNanos(1);

    @Mixin
    private final IdArgument id = new IdArgument();

    @Option(
            names = "--from",
            paramLabel = "<n>",
            converter = SeqNr.class,
            description = "The first sequence number. By default 1.")
    private long from = 1;

    @Option(
            names = "--to",
            paramLabel = "<n>",
            converter = SeqNr.class,
            description = "The last sequence number. By default the highest.")
    private long to = Long.MAX_VALUE;

    @Option(names = "--follow", description = "Wait for further events, polling every second, until Ctrl-C.")
    private boolean follow;

    @Mixin
    private final PayloadOption payloads = new PayloadOption();

    @Mixin
    private final OutputOptions output = new OutputOptions();

    @Mixin
    private final StoreOptions store = new StoreOptions();

    private final Console console;

    EventsCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() {
        String persistenceId = id.id();
        try (Stores stores = new Stores(store.settings(StoreKind.JOURNAL), RequestListener.NONE);
                Output out = output.open(console)) {
            OpenStore<JournalLayout> journal = stores.journal();
            long next = print(journal, persistenceId, Math.max(1, from), out);
            while (follow && next <= to) {
                LockSupport.parkNanos(POLL_NANOS);
                next = print(journal, persistenceId, next, out);
            }
        }
        return ExitCode.OK;
    }

    /** Prints what is there, and returns the sequence number after it. */
    private long print(OpenStore<JournalLayout> journal, String persistenceId, long first, Output out) {
        EventLog log = journal.layout().open(journal.dynamo());
        SeqRange range = SeqRange.singleEvents(first, to, Long.MAX_VALUE);
        long after = first;
        @Nullable PageToken next = null;
        do {
            EventPage page = Stores.await(log.read(persistenceId, range, next));
            Map<Long, Set<String>> confirmations = confirmations(journal, persistenceId, page.events());
            for (StoredEvent event : page.events()) {
                out.line(values(event, confirmations.getOrDefault(event.seqNr(), Set.of()), payloads, output));
                after = event.seqNr() + 1;
            }
            next = page.next();
        } while (next != null);
        out.flush();
        return after;
    }

    private static Map<Long, Set<String>> confirmations(
            OpenStore<JournalLayout> journal, String persistenceId, List<StoredEvent> events) {
        List<Long> seqNrs = events.stream().map(StoredEvent::seqNr).toList();
        return Stores.await(journal.layout().confirmations(journal.dynamo(), persistenceId, seqNrs));
    }

    /** What is printed of an event. */
    static Map<String, Object> values(
            StoredEvent stored, Set<String> confirmations, PayloadOption payloads, OutputOptions output) {
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
        if (!confirmations.isEmpty()) {
            values.put("confirmations", new TreeSet<>(confirmations));
        }
        payloads.add(values, payload, output);
        return values;
    }
}
