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

    private final Entity entity;
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

    private void stored(int count) {
        for (int i = 0; i < count; i++) {
            last++;
            Replayed event = Replayed.by(owner().name(), last);
            events.put(last, event);
            state = state.isEmpty() ? event.text() : state + " " + event.text();
        }
        stored = last;
    }

    Story persist(int count) {
        owner().persist(entity, count);
        stored(count);
        return this;
    }

    Story persistEach(int count) {
        owner().persistEach(entity, count);
        stored(count);
        return this;
    }

    Story persistAll(int count) {
        owner().persistAll(entity, count);
        stored(count);
        return this;
    }

    /** @param position of the event in the write at which the snapshot is taken, from 1 */
    Story persistAllAndSnapshotAt(int count, int position) {
        owner().persistAllAndSnapshotAt(entity, count, last + position);
        stored(position);
        snapshots.put(last, state);
        stored(count - position);
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

    /** The events that a reader returns. */
    List<Replayed> events() {
        return new ArrayList<>(events.values());
    }
}
