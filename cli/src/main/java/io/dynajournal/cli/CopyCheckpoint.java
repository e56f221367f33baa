package io.dynajournal.cli;

import io.dynajournal.cli.copy.Checkpoint;
import io.dynajournal.cli.run.LongRun;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The checkpoint of a run, which also paces it and shows its progress after each page. Thread-safe. */
final class CopyCheckpoint implements Checkpoint {

    private final LongRun run;
    private final Map<String, Long> reached = new ConcurrentHashMap<>();

    CopyCheckpoint(LongRun run) {
        this.run = run;
    }

    @Override
    public long reached(String persistenceId) {
        return reached.computeIfAbsent(persistenceId, run.checkpoint()::reached);
    }

    @Override
    public void reached(String persistenceId, long seqNr) {
        Long before = reached.put(persistenceId, seqNr);
        if (seqNr == (before == null ? 0 : before)) {
            return;
        }
        run.checkpoint().reached(persistenceId, seqNr);
        try {
            run.pace();
        } catch (LongRun.Stopped stopped) {
            return; // The copy asks the run before its next page.
        }
    }

    @Override
    public void handled(long events) {
        run.progress(events);
    }
}
