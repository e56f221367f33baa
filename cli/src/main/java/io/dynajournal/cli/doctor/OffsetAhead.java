package io.dynajournal.cli.doctor;

import io.dynajournal.internal.projections.OffsetTable;
import io.dynajournal.internal.projections.ProjectionAudit;
import io.dynajournal.internal.store.EventLog;
import io.dynajournal.internal.store.Finding;
import io.dynajournal.internal.store.FindingKind;
import io.dynajournal.internal.store.Stages;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Compares the sequence numbers that a projection has stored with the ends of the logs. */
final class OffsetAhead {

    private final String projection;
    private final ProjectionAudit audit;
    private final EventLog log;

    OffsetAhead(String projection, OffsetTable offsets, EventLog log) {
        this.projection = projection;
        this.audit = new ProjectionAudit(offsets, log, Duration.ZERO);
        this.log = log;
    }

    /** The ends are read after the offsets, so that what is projected meanwhile is not ahead. */
    CompletionStage<List<Finding>> check(List<String> persistenceIds) {
        return audit.of(persistenceIds)
                .thenCompose(entities -> Stages.inOrder(entities, this::compared))
                .thenApply(found -> found.stream().flatMap(Optional::stream).toList());
    }

    private CompletionStage<Optional<Finding>> compared(ProjectionAudit.Entity entity) {
        return entity.projected() == 0
                ? CompletableFuture.completedFuture(Optional.empty())
                : log.end(entity.persistenceId())
                        .thenApply(end -> entity.projected() <= end.seqNr()
                                ? Optional.empty()
                                : Optional.of(Finding.of(
                                        FindingKind.OFFSET_AHEAD,
                                        entity.persistenceId(),
                                        entity.projected(),
                                        "projection " + projection + " is at sequence number " + entity.projected()
                                                + ", the log ends at " + end.seqNr())));
    }
}
