package io.dynajournal.testkit.akka2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynajournal.layout.LayoutSettings;
import io.dynajournal.layout.akka2.Akka2Journal;
import io.dynajournal.layout.akka2.Akka2Snapshots;
import io.dynajournal.layout.akka2.Akka2TimeToLive;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The settings of akka-persistence-dynamodb 2.x by their own names. */
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
        for (Akka2TimeToLive rules : new Akka2TimeToLive[] {
            Akka2TimeToLive.of(settings), Akka2Snapshots.of(settings).timeToLive()
        }) {
            assertThat(rules.of("no-type").deletes()).isEqualTo(Duration.ofDays(7));
            assertThat(rules.of("Counter|1").checkExpiry()).isFalse();
            assertThat(rules.of("Counter|1").deletes()).isEqualTo(Duration.ofDays(7));
            // The longest beginning wins; with the predecessor it was any.
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
        assertThat(Akka2TimeToLive.of(settings).defaults().events()).isEqualTo(Duration.ofSeconds(seconds));
    }

    @Test
    void aWrongDurationIsNamed() {
        LayoutSettings settings = new LayoutSettings(Map.of(DEFAULTS + "event-time-to-live", "soon"));
        assertThatThrownBy(() -> Akka2TimeToLive.of(settings))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("event-time-to-live")
                .hasMessageContaining("soon");
    }
}
