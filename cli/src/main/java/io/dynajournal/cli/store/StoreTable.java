package io.dynajournal.cli.store;

import io.dynajournal.cli.terminal.UsageException;
import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.dynamo.TableSpec;

/**
 * The table of a store.
 *
 * @param complete what is created
 * @param required what must be there
 * @param usesTimeToLive whether the settings need the table's time to live
 */
public record StoreTable(
        StoreKind kind,
        Dynamo dynamo,
        String endpoint,
        TableSpec complete,
        TableSpec required,
        boolean usesTimeToLive) {

    /** The table of one kind of store. */
    public static StoreTable of(Stores stores, StoreKind kind) {
        return switch (kind) {
            case JOURNAL -> {
                var open = stores.journal();
                yield new StoreTable(
                        kind,
                        open.dynamo(),
                        open.endpoint(),
                        open.layout().table(),
                        open.layout().required(),
                        open.layout().usesTimeToLive());
            }
            case SNAPSHOTS -> {
                var open = stores.snapshots();
                yield new StoreTable(
                        kind,
                        open.dynamo(),
                        open.endpoint(),
                        open.layout().table(),
                        open.layout().required(),
                        open.layout().usesTimeToLive());
            }
            case STATES -> {
                var open = stores.states();
                yield new StoreTable(
                        kind,
                        open.dynamo(),
                        open.endpoint(),
                        open.layout().table(),
                        open.layout().table(),
                        false);
            }
            case OFFSETS -> throw new UsageException("--stores has no offsets here; name their table by --offsets");
        };
    }
}
