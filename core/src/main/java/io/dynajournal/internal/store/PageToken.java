package io.dynajournal.internal.store;

/** Where the next page starts. Only the layout that created it knows its content. */
public interface PageToken {

    /** How many bytes this token keeps in memory, for caches that are bounded by size. */
    default long heldBytes() {
        return 0;
    }
}
