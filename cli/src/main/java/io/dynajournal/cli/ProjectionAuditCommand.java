package io.dynajournal.cli;

import io.dynajournal.cli.options.OffsetsOptions;
import io.dynajournal.cli.options.OutputOptions;
import io.dynajournal.cli.options.ProjectionArgument;
import io.dynajournal.cli.options.StoreOptions;
import io.dynajournal.cli.store.OffsetsStore;
import io.dynajournal.cli.store.OpenStore;
import io.dynajournal.cli.store.StoreKind;
import io.dynajournal.cli.store.Stores;
import io.dynajournal.cli.terminal.Console;
import io.dynajournal.cli.terminal.ExitCode;
import io.dynajournal.cli.terminal.Output;
import io.dynajournal.cli.terminal.UsageException;
import io.dynajournal.internal.layout.JournalLayout;
import io.dynajournal.internal.model.Slices;
import io.dynajournal.internal.projections.ProjectionAudit;
import io.dynajournal.internal.projections.ProjectionAudit.Entity;
import io.dynajournal.internal.projections.ProjectionAudit.State;
import io.dynajournal.internal.store.PageToken;
import io.dynajournal.internal.store.PersistenceIds;
import io.dynajournal.listener.RequestListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Compares what a projection has stored with the journal. */
@Command(
        name = "audit",
        description =
                "Samples entities and compares the sequence number that the projection has stored of each with the"
                        + " journal. Prints how many are projected to their end, waiting, forgotten (too old for what the"
                        + " packed layout remembers) and missed: the projection is past an event that it has not"
                        + " projected. Exit code 3 if an entity is missed. It compares offsets, not the read model. Reads"
                        + " all persistence ids, and one or two pages of each sampled log; --layout and --table are the"
                        + " journal's.",
        footer = {
            "",
            "examples:",
            "  dynajournal projections audit popularity --entity-type ShoppingCart",
            "  dynajournal projections audit popularity --entity-type ShoppingCart --sample 100000 --json"
        })
final class ProjectionAuditCommand implements Callable<Integer> {

    @Mixin
    private final ProjectionArgument projection = new ProjectionArgument();

    @Option(
            names = "--entity-type",
            required = true,
            paramLabel = "<name>",
            description = "The entity type whose events are projected.")
    private String entityType = "";

    @Option(
            names = "--sample",
            paramLabel = "<n>",
            defaultValue = "1000",
            description = "How many entities, chosen at random. By default 1000.")
    private int sample;

    @Option(
            names = "--window",
            paramLabel = "<seconds>",
            defaultValue = "120",
            description = "The query's backtracking.window: an event that is less than this older than the progress"
                    + " may still come. By default 120.")
    private int window;

    @Mixin
    private final OffsetsOptions.Names offsets = new OffsetsOptions.Names();

    @Mixin
    private final StoreOptions store = new StoreOptions();

    @Mixin
    private final OutputOptions output = new OutputOptions();

    private final Console console;

    ProjectionAuditCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() {
        if (sample < 1 || window < 0) {
            throw new UsageException("--sample requires 1 or more, and --window 0 or more");
        }
        try (OffsetsStore stored = new OffsetsStore(offsets.settings(store));
                Stores stores = new Stores(store.settings(StoreKind.JOURNAL), RequestListener.NONE);
                Output out = output.open(console)) {
            stored.overview(projection.name());
            OpenStore<JournalLayout> journal = stores.journal();
            ProjectionAudit audit = new ProjectionAudit(
                    stored.rows(projection.name()),
                    journal.layout().open(journal.dynamo()),
                    Duration.ofSeconds(window));
            List<Entity> found = Stores.await(audit.of(sampled(journal.layout().ids(journal.dynamo()))));
            found.stream().filter(entity -> entity.state() == State.MISSED).forEach(this::say);
            out.line(Output.values(
                    "projection",
                    projection.name(),
                    "sampled",
                    found.size(),
                    "projected",
                    ProjectionAudit.count(found, State.PROJECTED),
                    "waiting",
                    ProjectionAudit.count(found, State.WAITING),
                    "forgotten",
                    ProjectionAudit.count(found, State.FORGOTTEN),
                    "missed",
                    ProjectionAudit.count(found, State.MISSED)));
            return ProjectionAudit.count(found, State.MISSED) == 0 ? ExitCode.OK : ExitCode.DIFFERENT;
        }
    }

    private void say(Entity missed) {
        console.say("Missed: " + missed.persistenceId() + " is projected to sequence number " + missed.projected()
                + "; the journal has sequence number " + missed.next() + ", which is older than the projection's"
                + " progress.");
    }

    /** Each entity with the same probability, in one pass. */
    private List<String> sampled(PersistenceIds ids) {
        Random random = new Random();
        List<String> kept = new ArrayList<>();
        int seen = 0;
        @Nullable PageToken next = null;
        do {
            PersistenceIds.IdPage page = Stores.await(ids.read(next));
            for (String id : page.ids()) {
                if (Slices.entityType(id).equals(entityType)) {
                    if (seen < sample) {
                        kept.add(id);
                    } else {
                        int place = random.nextInt(seen + 1);
                        if (place < sample) {
                            kept.set(place, id);
                        }
                    }
                    seen++;
                }
            }
            next = page.next();
        } while (next != null);
        return kept;
    }
}
