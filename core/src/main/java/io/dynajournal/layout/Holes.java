package io.dynajournal.layout;

import io.dynajournal.store.StoreException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Numbers that are missing from a predecessor's log although no delete explains them. Its rejected events leave such holes and
 * nothing that marks them, so they are reported, once per id, and passed over; on request they fail the reading. Thread-safe.
 */
public final class Holes {

    private static final Logger log = LoggerFactory.getLogger(Holes.class);

    /** So many ids are remembered as told; the one told longest ago is forgotten first. */
    private static final int REMEMBERED = 10_000;

    private final String table;
    private final boolean fatal;
    private final Set<String> told = Collections.newSetFromMap(new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
            return size() > REMEMBERED;
        }
    });

    public Holes(String table, boolean fatal) {
        this.table = table;
        this.fatal = fatal;
    }

    /**
     * Reports a hole, or fails.
     *
     * @param before the number before it
     * @param after the number behind it
     */
    public void found(String persistenceId, long before, long after) {
        if (fatal) {
            throw new StoreException.LogDamaged("The log of " + persistenceId + " in table " + table
                    + " has a hole: after number " + before + " it goes on with " + after
                    + ", and nothing was deleted there. An event was rejected, or an item was lost; fatal-holes = off"
                    + " passes over it.");
        }
        if (isNew(persistenceId)) {
            log.warn(
                    "The log of {} in table {} has a hole: after number {} it goes on with {}. An event was rejected, or an"
                            + " item was lost. Reading goes on; further holes of this id are not reported."
                            + " (fatal-holes = on fails instead.)",
                    persistenceId,
                    table,
                    before,
                    after);
        }
    }

    private boolean isNew(String persistenceId) {
        synchronized (told) {
            return told.add(persistenceId);
        }
    }
}
