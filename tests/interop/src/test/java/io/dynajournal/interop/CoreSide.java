package io.dynajournal.interop;

import io.dynajournal.dynamo.RequestListener;
import io.dynajournal.interop.Recovery.Replayed;
import io.dynajournal.interop.Recovery.Snapshot;
import io.dynajournal.layout.JournalLayout;
import io.dynajournal.layout.SnapshotLayout;
import io.dynajournal.model.Event;
import io.dynajournal.model.EventBatch;
import io.dynajournal.model.Payload;
import io.dynajournal.model.SeqRange;
import io.dynajournal.model.SnapshotCriteria;
import io.dynajournal.model.StoredEvent;
import io.dynajournal.model.StoredSnapshot;
import io.dynajournal.store.EventJournal;
import io.dynajournal.store.JournalCaches;
import io.dynajournal.store.SnapshotTable;
import io.dynajournal.testkit.Await;
import io.dynajournal.testkit.LocalDynamo;
import io.dynajournal.testkit.LogReading;
import io.dynajournal.testkit.TestEvents;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Our layouts without a toolkit. What is not the same as the peers' serializer and adapter writes, they cannot read. */
final class CoreSide implements Side {

    private static final int SERIALIZER = 4711;

    /** Journal and snapshots of one of the configuration's stores. */
    private record Store(EventJournal journal, SnapshotTable snapshots) {}

    /** An entity that has started. */
    private static final class Started {
        final String writer = TestEvents.freshWriter();
        long last;
        String state = "";
    }

    private final LocalDynamo local;
    private final boolean tags;
    private final Map<String, Store> stores = new HashMap<>();
    private final Map<Entity, Started> entities = new HashMap<>();
    private long snapshotsTaken;

    /** @param tags whether events have those of the peers' adapter */
    CoreSide(LocalDynamo local, boolean tags) {
        this.local = local;
        this.tags = tags;
    }

    /** The layouts of a store. */
    CoreSide with(String store, JournalLayout events, SnapshotLayout snapshots) {
        EventJournal journal =
                new EventJournal(events.open(local.open(RequestListener.NONE)), JournalCaches.DEFAULTS);
        stores.put(store, new Store(journal, snapshots.open(local.open(RequestListener.NONE))));
        return this;
    }

    @Override
    public String name() {
        return "core";
    }

    private Store store(Entity entity) {
        return Objects.requireNonNull(stores.get(entity.store()), entity.store());
    }

    private Started started(Entity entity) {
        return Objects.requireNonNull(entities.get(entity), entity.id());
    }

    @Override
    public Recovery start(Entity entity) {
        Started started = new Started();
        entities.put(entity, started);
        @Nullable Snapshot snapshot = Await.result(store(entity).snapshots().load(entity.id(), SnapshotCriteria.ALL))
                .map(CoreSide::snapshot)
                .orElse(null);
        long from = snapshot == null ? 1 : snapshot.seqNr() + 1;
        EventJournal journal = store(entity).journal();
        // An entity that has a snapshot is never behind it, whatever the journal says.
        long highest = Await.result(journal.highestSeqNr(entity.id(), from, started));
        started.last = Math.max(highest, from - 1);
        List<Replayed> events = LogReading.replay(
                        journal, entity.id(), SeqRange.wholeWrites(from, highest, Long.MAX_VALUE))
                .stream()
                .map(CoreSide::replayed)
                .toList();
        started.state = Stream.concat(
                        Stream.ofNullable(snapshot).map(Snapshot::state).filter(text -> !text.isEmpty()),
                        events.stream().map(Replayed::text))
                .collect(Collectors.joining(" "));
        return new Recovery(snapshot, events, started.last);
    }

    private static Snapshot snapshot(StoredSnapshot stored) {
        return new Snapshot(stored.seqNr(), text(stored.payload(), "state"));
    }

    private static Replayed replayed(StoredEvent stored) {
        return new Replayed(
                stored.seqNr(), stored.event().adapterManifest(), text(stored.event().payload(), "event"));
    }

    private static String text(Payload payload, String manifest) {
        if (payload.serializerId() != SERIALIZER || !payload.manifest().equals(manifest)) {
            throw new AssertionError("serialized by " + payload.serializerId() + " as " + payload.manifest());
        }
        return new String(payload.bytes(), StandardCharsets.UTF_8);
    }

    private static Payload payload(String manifest, String text) {
        return new Payload(SERIALIZER, manifest, text.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void stop(Entity entity) {
        entities.remove(entity);
    }

    private List<Event> events(Started started, int count) {
        return LongStream.rangeClosed(started.last + 1, started.last + count)
                .mapToObj(seqNr -> Replayed.by(name(), seqNr))
                .map(event -> new Event(
                        payload("event", event.text()),
                        event.manifest(),
                        tags ? Set.of("peer", name()) : Set.of(),
                        null))
                .toList();
    }

    private void append(Entity entity, List<List<Event>> writes) {
        Started started = started(entity);
        EventBatch batch = new EventBatch(entity.id(), started.writer, started.last + 1, writes);
        Await.result(store(entity).journal().append(batch, started));
        for (long seqNr = batch.firstSeqNr(); seqNr <= batch.lastSeqNr(); seqNr++) {
            handled(started, seqNr);
        }
    }

    private void handled(Started started, long seqNr) {
        String text = Replayed.by(name(), seqNr).text();
        started.state = started.state.isEmpty() ? text : started.state + " " + text;
        started.last = seqNr;
    }

    @Override
    public void persist(Entity entity, int count) {
        for (int i = 0; i < count; i++) {
            persistAll(entity, 1);
        }
    }

    @Override
    public void persistEach(Entity entity, int count) {
        List<List<Event>> writes = new ArrayList<>();
        events(started(entity), count).forEach(event -> writes.add(List.of(event)));
        append(entity, writes);
    }

    @Override
    public void persistAll(Entity entity, int count) {
        append(entity, List.of(events(started(entity), count)));
    }

    @Override
    public void persistAllAndSnapshotAt(Entity entity, int count, long seqNr) {
        Started started = started(entity);
        Started then = new Started();
        then.last = started.last;
        then.state = started.state;
        while (then.last < seqNr) {
            handled(then, then.last + 1);
        }
        persistAll(entity, count);
        save(entity, then);
    }

    @Override
    public void reject(Entity entity) {
        started(entity).last++;
    }

    @Override
    public void snapshot(Entity entity) {
        save(entity, started(entity));
    }

    private void save(Entity entity, Started state) {
        // Later each time: the predecessors take the youngest snapshot, not the one with the highest number.
        long timestamp = System.currentTimeMillis() + snapshotsTaken++;
        Await.result(store(entity)
                .snapshots()
                .save(new StoredSnapshot(entity.id(), state.last, timestamp, payload("state", state.state), null)));
    }

    @Override
    public void deleteEventsTo(Entity entity, long seqNr) {
        Await.result(store(entity).journal().deleteTo(entity.id(), seqNr));
    }

    @Override
    public void deleteSnapshot(Entity entity, long seqNr) {
        Await.result(store(entity).snapshots().delete(entity.id(), SnapshotCriteria.exactly(seqNr)));
    }

    @Override
    public void deleteSnapshotsTo(Entity entity, long seqNr) {
        Await.result(
                store(entity).snapshots().delete(entity.id(), new SnapshotCriteria(0, seqNr, 0, Long.MAX_VALUE)));
    }
}
