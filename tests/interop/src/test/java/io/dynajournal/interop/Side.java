package io.dynajournal.interop;

/**
 * Who can own entities. A side is told the entity by its first call, which starts it; a side that has written does not
 * know what others write until it starts the entity again.
 */
interface Side {

    /** What the texts of its events begin with. */
    String name();

    Recovery start(Entity entity);

    void stop(Entity entity);

    /** So many atomic writes of one event, one after another. */
    void persist(Entity entity, int count);

    /** So many atomic writes of one event, handed over together. */
    void persistEach(Entity entity, int count);

    /** One atomic write. */
    void persistAll(Entity entity, int count);

    /** One atomic write, and the snapshot that an entity takes when it handles one of its events. */
    void persistAllAndSnapshotAt(Entity entity, int count, long seqNr);

    /** An event that cannot be serialized: its number is passed over. */
    void reject(Entity entity);

    void snapshot(Entity entity);

    void deleteEventsTo(Entity entity, long seqNr);

    void deleteSnapshot(Entity entity, long seqNr);

    void deleteSnapshotsTo(Entity entity, long seqNr);
}
