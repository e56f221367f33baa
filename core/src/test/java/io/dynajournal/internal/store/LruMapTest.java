package io.dynajournal.internal.store;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class LruMapTest {

    @Test
    void theLeastRecentlyUsedEntryIsDropped() {
        LruMap<String, Integer> map = new LruMap<>(2);
        map.put("a", 1);
        map.put("b", 2);
        assertThat(map.get("a")).isEqualTo(1);
        map.put("c", 3);

        assertThat(map.get("b")).isNull();
        assertThat(map.get("a")).isEqualTo(1);
        assertThat(map.remove("c")).isEqualTo(3);
        assertThat(map.get("c")).isNull();
    }
}
