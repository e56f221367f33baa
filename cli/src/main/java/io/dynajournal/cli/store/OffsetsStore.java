package io.dynajournal.cli.store;

import io.dynajournal.cli.terminal.UsageException;
import io.dynajournal.internal.dynamo.AwsClient;
import io.dynajournal.internal.dynamo.Clients;
import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.dynamo.TableSpec;
import io.dynajournal.internal.projections.OffsetTable;
import io.dynajournal.internal.projections.ProjectionOffsets;
import io.dynajournal.listener.RequestListener;
import java.time.Clock;
import java.util.SortedSet;

/** The table of the offsets of projections. Close it. */
public final class OffsetsStore implements AutoCloseable {

    private final String table;
    private final boolean usesTimeToLive;
    private final AwsClient client;
    private final Dynamo dynamo;

    public OffsetsStore(OffsetsSettings settings) {
        this.table = settings.table();
        this.usesTimeToLive = settings.usesTimeToLive();
        try {
            this.client = Clients.connect(settings.client());
        } catch (IllegalArgumentException e) {
            throw new UsageException(String.valueOf(e.getMessage()));
        }
        this.dynamo = new Dynamo(client, settings.retry(), RequestListener.NONE, Clock.systemUTC());
    }

    /** The table itself, for checking and creating it. */
    public StoreTable storeTable() {
        TableSpec spec = ProjectionOffsets.table(table);
        return new StoreTable(StoreKind.OFFSETS, dynamo, client.endpoint(), spec, spec, usesTimeToLive);
    }

    public String table() {
        return table;
    }

    public String endpoint() {
        return client.endpoint();
    }

    public SortedSet<String> names() {
        return Stores.await(ProjectionOffsets.names(dynamo, table));
    }

    public ProjectionOffsets projection(String name) {
        return new ProjectionOffsets(dynamo, table, name);
    }

    /** The rows of a projection. */
    public OffsetTable rows(String projection) {
        return new OffsetTable(dynamo, table, projection, null);
    }

    /**
     * The offsets of a projection.
     *
     * @throws UsageException if there are none: the name is misspelled, or it is another table
     */
    public ProjectionOffsets.Overview overview(String name) {
        ProjectionOffsets.Overview overview = Stores.await(projection(name).read());
        if (overview.slices() == 0 && overview.paused().isEmpty()) {
            throw new UsageException("table " + table + " has no offsets of a projection " + name
                    + "; projections list shows those that it has");
        }
        return overview;
    }

    @Override
    public void close() {
        client.close();
    }
}
