package io.dynajournal.cli;

import io.dynajournal.cli.doctor.Diagnosis;
import io.dynajournal.cli.options.IdSelection;
import io.dynajournal.cli.store.IdPages;
import io.dynajournal.cli.store.OffsetsSettings;
import io.dynajournal.cli.store.OffsetsStore;
import io.dynajournal.cli.store.OpenStore;
import io.dynajournal.cli.store.StoreKind;
import io.dynajournal.cli.store.StoreSettings;
import io.dynajournal.cli.store.StoreTable;
import io.dynajournal.cli.store.Stores;
import io.dynajournal.internal.dynamo.TableAdmin;
import io.dynajournal.internal.layout.JournalLayout;
import io.dynajournal.internal.store.EventLog;
import io.dynajournal.internal.store.Finding;
import io.dynajournal.internal.store.FindingKind;
import io.dynajournal.internal.store.LogCheck;
import io.dynajournal.internal.store.PartsCheck;
import io.dynajournal.internal.store.SnapshotTable;
import io.dynajournal.listener.RequestListener;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The open stores that the doctor examines. Close it. */
final class DoctorStores implements AutoCloseable {

    private final Stores stores;
    private final @Nullable OffsetsStore offsets;
    private final Set<StoreKind> kinds;
    private final IdSelection selection;

    DoctorStores(
            StoreSettings settings,
            @Nullable OffsetsSettings offsets,
            Set<StoreKind> kinds,
            IdSelection selection,
            RequestListener listener) {
        this.stores = new Stores(settings, listener);
        this.offsets = offsets == null ? null : new OffsetsStore(offsets);
        this.kinds = kinds;
        this.selection = selection;
    }

    /** @param found receives findings about tables, which need no second examination */
    void examine(Diagnosis diagnosis, Consumer<Finding> found) {
        kinds.forEach(kind -> expiry(StoreTable.of(stores, kind)).ifPresent(found));
        if (kinds.contains(StoreKind.JOURNAL)) {
            logs(diagnosis);
        }
        // Parts are found by a scan, which few persistence ids are not worth.
        if (!selection.namesIds()) {
            kinds.forEach(kind ->
                    parts(kind).ifPresent(check -> diagnosis.parts(check, id -> !selection.excludesType(id))));
        }
    }

    /** About how many logs are examined; empty if that is not known. */
    OptionalLong logs() {
        if (!kinds.contains(StoreKind.JOURNAL) || !selection.isEmpty()) {
            return selection.count();
        }
        OpenStore<JournalLayout> journal = stores.journal();
        String table = journal.layout().table().name();
        Optional<String> index = journal.layout().indexOfIds();
        return index.isPresent() ? ItemCount.of(journal.dynamo(), table, index.get()) : OptionalLong.empty();
    }

    private static Optional<Finding> expiry(StoreTable table) {
        return table.usesTimeToLive() && !Stores.await(table.dynamo().tables().removesExpiredItems(table.complete()))
                ? Optional.of(Finding.of(FindingKind.EXPIRY_OFF, "", 0, TableAdmin.timeToLiveIsOff(table.complete())))
                : Optional.empty();
    }

    private void logs(Diagnosis diagnosis) {
        OpenStore<JournalLayout> journal = stores.journal();
        EventLog log = journal.layout().withFatalGaps().open(journal.dynamo());
        @Nullable SnapshotTable snapshots = null;
        if (kinds.contains(StoreKind.SNAPSHOTS)) {
            var open = stores.snapshots();
            snapshots = open.layout().open(open.dynamo());
        }
        List<LogCheck> checks = Diagnosis.checks(log, journal.layout().checks(journal.dynamo()), snapshots);
        if (selection.namesIds()) {
            checks.add(0, exists(log, journal.layout().table().name()));
        }
        diagnosis.logs(ids(journal), checks);
        @Nullable OffsetsStore projections = offsets;
        if (projections != null) {
            projections.names().forEach(name -> diagnosis.offsets(name, projections.rows(name), log, ids(journal)));
        }
    }

    /** A persistence id that is mistyped would be sound. */
    private static LogCheck exists(EventLog log, String table) {
        return id -> log.end(id).thenApply(end -> {
            if (end.seqNr() == 0) {
                throw new IllegalStateException("There is no log of this persistence id in table " + table);
            }
            return List.of();
        });
    }

    private Iterator<String> ids(OpenStore<JournalLayout> journal) {
        Iterator<String> all = IdPages.of(journal.layout().idsOfTable(journal.dynamo()));
        return selection.isEmpty() ? all : selection.ids(() -> all);
    }

    private Optional<PartsCheck> parts(StoreKind kind) {
        return switch (kind) {
            case JOURNAL -> {
                var open = stores.journal();
                yield open.layout().partsCheck(open.dynamo());
            }
            case SNAPSHOTS -> {
                var open = stores.snapshots();
                yield open.layout().partsCheck(open.dynamo());
            }
            case STATES -> {
                var open = stores.states();
                yield open.layout().partsCheck(open.dynamo());
            }
            case OFFSETS -> Optional.empty();
        };
    }

    @Override
    public void close() {
        stores.close();
        if (offsets != null) {
            offsets.close();
        }
    }
}
