package io.dynajournal.internal.projection;

import io.dynajournal.internal.model.SliceRange;
import io.dynajournal.internal.model.Slices;
import io.dynajournal.internal.projections.OffsetTable;
import io.dynajournal.internal.projections.ProjectionAudit;
import io.dynajournal.internal.query.QueryObserver.Reading;
import io.dynajournal.internal.settings.ProjectionConfig;
import io.dynajournal.internal.store.PageToken;
import io.dynajournal.internal.store.Pages;
import io.dynajournal.internal.store.Stages;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares a sample of the entities of a projection with the journal, again and again, for the application's listener. Each audit
 * takes its sample from the next pages of the journal's persistence ids, so that in the long run all of them are compared. Without a
 * listener there is none.
 */
final class RunningAudit {

    private static final Logger log = LoggerFactory.getLogger(RunningAudit.class);

    /** The ids of a small journal are on this number of pages: one per partition of their index. */
    private static final int MAX_PAGES = 16;

    /** Opens the table of offsets. */
    interface Offsets {
        CompletionStage<Boolean> use(BiFunction<OffsetTable, ProjectionConfig, CompletionStage<Boolean>> audit);
    }

    private final ProjectionStatus status;
    private final SliceRange range;
    private final LongSupplier nanoTime;
    private final Offsets offsets;
    private final AtomicBoolean isBusy = new AtomicBoolean();
    // The rest belongs to the audit that is under way.
    private volatile long dueNanos;
    private volatile boolean isOff;
    private volatile @Nullable PageToken next;

    RunningAudit(ProjectionStatus status, SliceRange range, LongSupplier nanoTime, Offsets offsets) {
        this.status = status;
        this.range = range;
        this.nanoTime = nanoTime;
        this.offsets = offsets;
        this.dueNanos = nanoTime.getAsLong();
        this.isOff = !status.isHeard();
    }

    /** Begins an audit if one is due and none is under way. To be called every second. */
    void look() {
        Reading reading = status.reading();
        if (isOff || reading == null || nanoTime.getAsLong() - dueNanos < 0 || !isBusy.compareAndSet(false, true)) {
            return;
        }
        Stages.guarded(() -> offsets.use((table, config) -> audit(reading, table, config)))
                .whenComplete((done, failure) -> {
                    if (failure != null) {
                        log.warn(
                                "An audit of a projection has failed; the next one follows after audit-interval",
                                failure);
                    }
                    isBusy.set(false);
                });
    }

    private CompletionStage<Boolean> audit(Reading reading, OffsetTable table, ProjectionConfig config) {
        Duration interval = config.auditInterval();
        if (interval == null) {
            isOff = true;
            return CompletableFuture.completedFuture(false);
        }
        dueNanos = nanoTime.getAsLong() + interval.toNanos();
        ProjectionAudit audit = new ProjectionAudit(table, reading.log(), reading.backtrackingWindow());
        return candidates(reading, config.auditSample())
                .thenCompose(found -> audit.of(range, sample(found, config.auditSample())))
                .thenApply(entities -> {
                    status.audited(entities);
                    return true;
                });
    }

    /** From the next pages: until there are enough, or all ids were read, or {@link #MAX_PAGES}. */
    private CompletionStage<List<String>> candidates(Reading reading, int enough) {
        List<String> found = new ArrayList<>();
        AtomicInteger pages = new AtomicInteger();
        return Pages.<PageToken>drain(
                        next,
                        start -> reading.ids().read(start).thenApply(page -> {
                            page.ids().stream()
                                    .filter(id -> range.contains(id)
                                            && Slices.entityType(id).equals(reading.entityType()))
                                    .forEach(found::add);
                            next = page.next();
                            return found.size() >= enough || pages.incrementAndGet() == MAX_PAGES ? null : next;
                        }))
                .thenApply(done -> found);
    }

    private static List<String> sample(List<String> ids, int size) {
        List<String> sample = new ArrayList<>(ids);
        Collections.shuffle(sample);
        return sample.subList(0, Math.min(size, sample.size()));
    }
}
