package io.dynajournal.interop;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.interop.Recovery.Replayed;
import io.dynajournal.interop.Recovery.Snapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The history of an entity with several owners, and a model of it: each new owner must recover the state of the model. */
final class Story {

    private Entity entity;
    private final TreeMap<Long, Replayed> events = new TreeMap<>();
    private final TreeMap<Long, String> snapshots = new TreeMap<>();
    private long stored;
    private long last;
    private String state = "";
    private @Nullable Peer owner;

    Story(Entity entity) {
        this.entity = entity;
    }

    Entity entity() {
        return entity;
    }

    /** Moves the entity to another owner. */
    Story ownedBy(Peer next) {
        if (owner != null) {
            owner.stop(entity);
        }
        owner = next;
        Recovery expected = expected();
        assertThat(next.start(entity)).as("%s at %s", entity, next.name()).isEqualTo(expected);
        last = stored;
        state = Stream.concat(
                        Stream.ofNullable(expected.snapshot())
                                .map(Snapshot::state)
                                .filter(text -> !text.isEmpty()),
                        expected.events().stream().map(Replayed::text))
                .collect(Collectors.joining(" "));
        return this;
    }

    private Recovery expected() {
        @Nullable
        Snapshot snapshot = snapshots.isEmpty()
                ? null
                : new Snapshot(snapshots.lastKey(), snapshots.lastEntry().getValue());
        return new Recovery(
                snapshot,
                List.copyOf(events.tailMap(snapshot == null ? 0 : snapshot.seqNr(), false)
                        .values()),
                stored);
    }

    private Peer owner() {
        if (owner == null) {
            throw new IllegalStateException(entity + " has no owner yet");
        }
        return owner;
    }

    /** Stops the entity; it is started again with another store of the configuration. */
    Story in(String store) {
        if (owner != null) {
            owner.stop(entity);
            owner = null;
        }
        entity = new Entity(entity.id(), store);
        return this;
    }

    private void stored(int count, int padding) {
        for (int i = 0; i < count; i++) {
            last++;
            Replayed event = Replayed.by(owner().name(), last, padding);
            events.put(last, event);
            state = state.isEmpty() ? event.text() : state + " " + event.text();
        }
        stored = last;
    }

    Story persist(int count) {
        return persist(count, 0);
    }

    /** @param padding the number of characters that make each event larger */
    Story persist(int count, int padding) {
        owner().persist(entity, count, padding);
        stored(count, padding);
        return this;
    }

    Story persistEach(int count) {
        owner().persistEach(entity, count);
        stored(count, 0);
        return this;
    }

    Story persistAll(int count) {
        return persistAll(count, 0);
    }

    Story persistAll(int count, int padding) {
        owner().persistAll(entity, count, padding);
        stored(count, padding);
        return this;
    }

    /** @param position of the event in the write at which the snapshot is taken, from 1 */
    Story persistAllAndSnapshotAt(int count, int position) {
        owner().persistAllAndSnapshotAt(entity, count, last + position);
        stored(position, 0);
        snapshots.put(last, state);
        stored(count - position, 0);
        return this;
    }

    /** Only the owner knows that the sequence number is used, until it writes the next event. */
    Story reject() {
        owner().reject(entity);
        last++;
        return this;
    }

    Story snapshot() {
        owner().snapshot(entity);
        snapshots.put(last, state);
        return this;
    }

    Story deleteEventsTo(long seqNr) {
        owner().deleteEventsTo(entity, seqNr);
        events.headMap(seqNr, true).clear();
        return this;
    }

    Story deleteSnapshot(long seqNr) {
        owner().deleteSnapshot(entity, seqNr);
        snapshots.remove(seqNr);
        return this;
    }

    Story deleteSnapshotsTo(long seqNr) {
        owner().deleteSnapshotsTo(entity, seqNr);
        snapshots.headMap(seqNr, true).clear();
        return this;
    }

    boolean isOwnedBy(Peer peer) {
        return peer.equals(owner);
    }

    /** The sequence number of the last event. */
    long stored() {
        return stored;
    }

    /** The sequence number that the owner uses next. */
    long next() {
        return last + 1;
    }

    /** Whether a snapshot can be saved: the last event was not rejected, and the state is not empty and fits into an item. */
    boolean mayBeSaved(int maxBytes) {
        return last == stored && !state.isEmpty() && state.length() < maxBytes;
    }

    /** The events that a reader returns. */
    List<Replayed> events() {
        return new ArrayList<>(events.values());
    }
}
