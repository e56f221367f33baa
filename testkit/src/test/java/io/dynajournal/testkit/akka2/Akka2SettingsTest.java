package io.dynajournal.testkit.akka2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynajournal.internal.layout.LayoutSettings;
import io.dynajournal.internal.layout.TimeToLive;
import io.dynajournal.internal.layout.akka2.Akka2Journal;
import io.dynajournal.internal.layout.akka2.Akka2Snapshots;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The settings of akka-persistence-dynamodb 2.x. */
class Akka2SettingsTest {

    private static final String DEFAULTS = "time-to-live.event-sourced-defaults.";
    private static final String ENTITIES = "time-to-live.event-sourced-entities.";

    @Test
    void namesOfTablesAndIndexes() {
        LayoutSettings settings = new LayoutSettings(
                Map.of("journal.table", "events", "journal.by-slice-idx", "by_slice", "snapshot.table", "states"));
        Akka2Journal journal = Akka2Journal.of(settings);
        assertThat(journal.tableName()).isEqualTo("events");
        assertThat(journal.sliceIndex()).isEqualTo("by_slice");
        Akka2Snapshots snapshots = Akka2Snapshots.of(settings);
        assertThat(snapshots.tableName()).isEqualTo("states");
        assertThat(snapshots.sliceIndex()).isEqualTo("states_slice_idx");
        assertThat(snapshots.journalTable()).isEmpty();
        assertThat(settings.unread()).isEmpty();
        assertThat(Akka2Journal.of(new LayoutSettings(Map.of("journal.slice-index", "off")))
                        .table()
                        .indexes())
                .isEmpty();
        assertThat(Akka2Snapshots.of(new LayoutSettings(Map.of("query.start-from-snapshot.enabled", "on")))
                        .journalTable())
                .isEqualTo("event_journal");
    }

    @Test
    void rulesByEntityType() {
        Map<String, String> values = new HashMap<>();
        values.put(DEFAULTS + "use-time-to-live-for-deletes", "7 days");
        values.put(ENTITIES + "\"Cart\".event-time-to-live", "1 hour");
        values.put(ENTITIES + "Cart.use-time-to-live-for-deletes", "off");
        values.put(ENTITIES + "\"C*\".check-expiry", "off");
        values.put(ENTITIES + "\"Car*\".snapshot-time-to-live", "3650d");
        LayoutSettings settings = new LayoutSettings(values);
        for (TimeToLive rules : new TimeToLive[] {
            Akka2Journal.of(settings).timeToLive(), Akka2Snapshots.of(settings).timeToLive()
        }) {
            assertThat(rules.of("no-type").deletes()).isEqualTo(Duration.ofDays(7));
            assertThat(rules.of("Counter|1").checkExpiry()).isFalse();
            assertThat(rules.of("Counter|1").deletes()).isEqualTo(Duration.ofDays(7));
            // The longest prefix wins; with the predecessor it is undefined.
            assertThat(rules.of("Carton|1").snapshots()).isEqualTo(Duration.ofDays(3650));
            assertThat(rules.of("Carton|1").checkExpiry()).isTrue();
            assertThat(rules.of("Cart|1").events()).isEqualTo(Duration.ofHours(1));
            assertThat(rules.of("Cart|1").deletes()).isNull();
        }
        assertThat(settings.unread()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"0 seconds,0", "0s,0", "90 s,90", "1500,1", "2 minutes,120", "1.5h,5400", "1 day,86400", "5000 ms,5"})
    void durations(String text, long seconds) {
        LayoutSettings settings = new LayoutSettings(Map.of(DEFAULTS + "event-time-to-live", text));
        assertThat(Akka2Journal.of(settings).timeToLive().defaults().events()).isEqualTo(Duration.ofSeconds(seconds));
    }

    /** The form of the older documentation. Without the check expired items were shown, so that it is off by default. */
    @Test
    void flatTimeToLive() {
        LayoutSettings settings =
                new LayoutSettings(Map.of("time-to-live.use-time-to-live-for-deletes", "7 days", "journal.table", "t"));
        for (TimeToLive rules : new TimeToLive[] {
            Akka2Journal.of(settings).timeToLive(), Akka2Snapshots.of(settings).timeToLive()
        }) {
            assertThat(rules.of("Cart|1").deletes()).isEqualTo(Duration.ofDays(7));
            assertThat(rules.of("Cart|1").checkExpiry()).isFalse();
            assertThat(rules.isUsed()).isTrue();
        }
        assertThat(settings.unread()).isEmpty();
        TimeToLive checked = Akka2Journal.of(new LayoutSettings(Map.of(
                        "time-to-live.check-expiry",
                        "on",
                        "time-to-live.event-time-to-live",
                        "1 day",
                        DEFAULTS + "event-time-to-live",
                        "2 days",
                        ENTITIES + "Cart.use-time-to-live-for-deletes",
                        "1 h")))
                .timeToLive();
        assertThat(checked.of("Cart|1").checkExpiry()).isTrue();
        assertThat(checked.of("Cart|1").events()).isEqualTo(Duration.ofDays(2));
        assertThat(checked.of("Cart|1").deletes()).isEqualTo(Duration.ofHours(1));
        assertThat(Akka2Journal.of(new LayoutSettings(Map.of())).timeToLive().isUsed())
                .isFalse();
    }

    @Test
    void anInvalidDurationIsReported() {
        LayoutSettings settings = new LayoutSettings(Map.of(DEFAULTS + "event-time-to-live", "soon"));
        assertThatThrownBy(() -> Akka2Journal.of(settings).timeToLive())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("event-time-to-live")
                .hasMessageContaining("soon");
    }
}
