package io.dynajournal.testkit.simulator;

import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/** The primary key of an item. */
record ItemKey(KeyValue hash, @Nullable KeyValue range) implements Comparable<ItemKey> {

    private static final Comparator<ItemKey> ORDER = Comparator.<ItemKey, KeyValue>comparing(ItemKey::hash)
            .thenComparing(ItemKey::range, Comparator.nullsFirst(Comparator.<KeyValue>naturalOrder()));

    @Override
    public int compareTo(ItemKey other) {
        return ORDER.compare(this, other);
    }
}
