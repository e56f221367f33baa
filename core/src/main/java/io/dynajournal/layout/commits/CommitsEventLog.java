package io.dynajournal.layout.commits;

import io.dynajournal.dynamo.Dynamo;
import io.dynajournal.model.EventBatch;
import io.dynajournal.model.SeqRange;
import io.dynajournal.store.EventLog;
import io.dynajournal.store.EventPage;
import io.dynajournal.store.LogEnd;
import io.dynajournal.store.LogHead;
import io.dynajournal.store.PageToken;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The native event log: writing, reading and deleting have a file each. */
final class CommitsEventLog implements EventLog {

    private final CommitReader reader;
    private final CommitWriter writer;
    private final CommitDeleter deleter;

    CommitsEventLog(Dynamo dynamo, CommitsJournal settings) {
        Parts parts = new Parts(dynamo, settings.tableName(), settings.itemSize());
        this.deleter = new CommitDeleter(dynamo, settings, parts);
        this.reader = new CommitReader(dynamo, settings, parts, deleter);
        this.writer = new CommitWriter(
                dynamo,
                settings,
                parts,
                reader,
                new CommitsRegistry(dynamo, settings.tableName(), settings.indexPartitions()));
    }

    @Override
    public CompletionStage<LogHead> head(String persistenceId, long from) {
        return ReservedIds.guarded(persistenceId, () -> reader.head(persistenceId, Math.max(1, from)));
    }

    @Override
    public CompletionStage<LogEnd> end(String persistenceId) {
        return ReservedIds.guarded(persistenceId, () -> reader.end(persistenceId));
    }

    @Override
    public CompletionStage<EventPage> read(String persistenceId, SeqRange range, @Nullable PageToken start) {
        return ReservedIds.guarded(persistenceId, () -> reader.read(persistenceId, range, (CommitCursor) start));
    }

    @Override
    public CompletionStage<LogEnd> append(EventBatch batch, @Nullable LogEnd seen) {
        return ReservedIds.guarded(batch.persistenceId(), () -> writer.append(batch, seen));
    }

    @Override
    public CompletionStage<Void> deleteTo(String persistenceId, long toSeqNr) {
        return ReservedIds.guarded(persistenceId, () -> deleter.deleteTo(persistenceId, toSeqNr));
    }
}
