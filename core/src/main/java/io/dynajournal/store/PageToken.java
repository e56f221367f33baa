package io.dynajournal.store;

/** Where reading goes on; only the layout that made it knows what is inside. */
public interface PageToken {

    /** How many bytes this token keeps in memory, for caches that are bounded by size. */
    default long heldBytes() {
        return 0;
    }
}
