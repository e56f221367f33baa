package io.dynajournal.peers.soak;

/**
 * The end of an entity's chain.
 *
 * @param count of the events
 * @param link of the last one
 */
record SoakState(long count, long link) {

    static final SoakState EMPTY = new SoakState(0, 0);

    boolean isFollowedBy(SoakEvent event) {
        return event.number() == count + 1 && event.before() == link;
    }

    static SoakState after(SoakEvent event) {
        return new SoakState(event.number(), event.link());
    }
}
