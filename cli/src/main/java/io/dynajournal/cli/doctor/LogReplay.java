package io.dynajournal.cli.doctor;

import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.model.SeqRange;
import io.dynajournal.internal.store.EventLog;
import io.dynajournal.internal.store.Finding;
import io.dynajournal.internal.store.FindingKind;
import io.dynajournal.internal.store.LogCheck;
import io.dynajournal.internal.store.PageToken;
import io.dynajournal.internal.store.Pages;
import io.dynajournal.internal.store.Stages;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** Replays a log as a recovery does, page by page: the first gap or damaged item ends it, as it would end a recovery. */
final class LogReplay implements LogCheck {

    /** A log that is deleted from during each attempt is deleted from faster than it is read. */
    private static final int MAX_ATTEMPTS = 5;

    private final EventLog log;

    /** @param log that fails at each gap */
    LogReplay(EventLog log) {
        this.log = log;
    }

    @Override
    public CompletionStage<List<Finding>> check(String persistenceId) {
        return check(persistenceId, MAX_ATTEMPTS);
    }

    private CompletionStage<List<Finding>> check(String persistenceId, int attemptsLeft) {
        EventObserver writers = new InterleavedWriters();
        SeqRange range = SeqRange.singleEvents(1, Long.MAX_VALUE, Long.MAX_VALUE);
        return Pages.<PageToken>drain(
                        null,
                        start -> log.read(persistenceId, range, start).thenApply(page -> {
                            page.events().forEach(writers::accept);
                            return page.next();
                        }))
                .handle((read, failure) -> {
                    if (failure == null) {
                        return CompletableFuture.completedFuture(
                                writers.finding().stream().toList());
                    }
                    if (Stages.unwrap(failure) instanceof StoreException.LogMoved && attemptsLeft > 1) {
                        return check(persistenceId, attemptsLeft - 1);
                    }
                    return Stages.unwrap(failure) instanceof StoreException.LogDamaged gap
                            ? CompletableFuture.completedFuture(List.of(
                                    Finding.of(FindingKind.GAP, persistenceId, 0, String.valueOf(gap.getMessage()))))
                            : CompletableFuture.<List<Finding>>failedFuture(failure);
                })
                .thenCompose(Function.identity());
    }
}
