package io.dynajournal.internal.layout.j5ik2o;

import io.dynajournal.internal.dynamo.Item;
import io.dynajournal.internal.layout.SerializerId;
import io.dynajournal.internal.model.Payload;
import io.dynajournal.internal.model.StateChange;
import io.dynajournal.internal.model.StoredState;
import java.util.Set;

/**
 * Converts durable states to rows and back. Sends no requests. An entity recovers the revision in the row, whichever of the
 * predecessor's stores wrote it; the one for the SDK v2 started one too high and continued from there.
 *
 * <p>Two attributes are ours: the writer and the time in microseconds. By them a retry of our own write is distinguished from another
 * writer's. A deleted state keeps its row without a payload; the deleted column is one that the predecessor has and ignores.
 */
final class J5StateItems {

    static final String WRITER = "dj-writer";
    static final String TIME = "dj-time";

    private final J5States settings;
    private final J5StateColumns columns;
    private final Set<String> ours;

    J5StateItems(J5States settings) {
        this.settings = settings;
        this.columns = settings.columns();
        this.ours = Set.of(
                columns.partitionKey(),
                columns.sortKey(),
                columns.persistenceId(),
                columns.revision(),
                columns.deleted(),
                columns.payload(),
                columns.serializerId(),
                columns.serializerManifest(),
                columns.ordering(),
                columns.tags(),
                WRITER,
                TIME);
    }

    Item key(String persistenceId) {
        Item key = Item.create()
                .text(columns.partitionKey(), settings.keys().partitionKey(persistenceId, J5Keys.OF_STATE));
        return settings.sorted()
                ? key.text(columns.sortKey(), settings.keys().sortKey(persistenceId, J5Keys.OF_STATE))
                : key;
    }

    Item row(StateChange change, String tag, long time, String writer) {
        Item row = key(change.persistenceId())
                .text(columns.persistenceId(), change.persistenceId())
                .number(columns.revision(), change.revision())
                .number(columns.ordering(), time / 1000)
                .text(WRITER, writer)
                .number(TIME, time);
        if (!tag.isEmpty()) {
            row.text(columns.tags(), tag);
        }
        Payload payload = change.payload();
        if (payload == null) {
            row.flag(columns.deleted(), true);
        } else {
            row.bytes(columns.payload(), payload.bytes()).number(columns.serializerId(), payload.serializerId());
            if (!payload.manifest().isEmpty()) {
                row.text(columns.serializerManifest(), payload.manifest());
            }
        }
        change.columns().forEach((name, value) -> {
            if (ours.contains(name)) {
                throw new IllegalArgumentException("The additional column " + name + " of " + change.persistenceId()
                        + " has the name of a column of the layout j5ik2o. Use another name. Nothing was stored.");
            }
            row.value(name, value);
        });
        return row;
    }

    StoredState state(Item row) {
        return new StoredState(
                persistenceId(row),
                revision(row),
                isDeleted(row) ? null : payload(row),
                tag(row),
                time(row),
                writer(row));
    }

    private Payload payload(Item row) {
        return new Payload(
                SerializerId.of(row, columns.serializerId()),
                row.has(columns.serializerManifest()) ? row.text(columns.serializerManifest()) : "",
                row.bytes(columns.payload()));
    }

    boolean isDeleted(Item row) {
        return row.isTrue(columns.deleted());
    }

    String persistenceId(Item row) {
        return row.text(columns.persistenceId());
    }

    long revision(Item row) {
        return row.number(columns.revision());
    }

    String tag(Item row) {
        return row.has(columns.tags()) ? row.text(columns.tags()) : "";
    }

    String writer(Item row) {
        return row.has(WRITER) ? row.text(WRITER) : "";
    }

    private long time(Item row) {
        return row.numberOr(TIME, row.numberOr(columns.ordering(), 0) * 1000);
    }

    /** Whether the stored row is our own, from an earlier attempt. */
    boolean isOwn(Item stored, Item ours) {
        return !stored.isEmpty()
                && revision(stored) == revision(ours)
                && stored.numberOr(TIME, 0) == ours.number(TIME)
                && writer(stored).equals(writer(ours));
    }
}
