package io.dynajournal.peers.load;

/** What can be loaded: entities in groups. Each operation ends, or fails, in its phase. */
interface Load {

    /** Starts the entities of a group; one operation for each that has recovered, with the events it was given. */
    void start(String group, int entities, Phase phase);

    /** Stops them; one operation. */
    void stop(String group, Phase phase);

    /** How many entities of a group run. */
    int running(String group);

    /** Every entity of the group writes; one operation for each write, with its events. */
    void write(String group, Write write, Phase phase);

    /** Every entity of the group saves a snapshot; one operation each. */
    void snapshot(String group, int bytes, Phase phase);

    /**
     * What an entity writes.
     *
     * @param how {@code persist}, {@code persistAll} or {@code persistAsync}
     * @param times how many writes, one after another
     * @param events how many events a write has
     * @param bytes the size of an event
     */
    record Write(String how, int times, int events, int bytes) {}
}
