package io.dynajournal.settings;

import io.dynajournal.slices.Pace;
import io.dynajournal.slices.ReaderSettings;
import java.time.Duration;

/**
 * How queries by slice read.
 *
 * @param push whether writes of the same actor system wake queries
 */
public record ReadConfig(boolean push, ReaderSettings reader) {

    /** How much of the window the partitions of a query may be apart. */
    private static final int SLACK = 4;

    /** @param prefix of the keys, with its dot; empty if they stand in the block itself */
    static ReadConfig of(Block block, String prefix) {
        try {
            Pace pace = new Pace(
                    block.duration(prefix + "refresh-interval"), block.duration(prefix + "idle-refresh-interval"));
            Duration window = block.duration(prefix + "trailing-window");
            Duration slack = longer(window.dividedBy(SLACK), pace.idleRefresh().multipliedBy(2));
            return new ReadConfig(
                    block.flag(prefix + "push"),
                    new ReaderSettings(
                            window,
                            slack,
                            block.count(prefix + "page-rows"),
                            block.count(prefix + "known-ids"),
                            block.count(prefix + "parallelism"),
                            pace));
        } catch (SettingsException e) {
            throw e;
        } catch (IllegalArgumentException e) {
            throw block.refused(e);
        }
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) >= 0 ? one : other;
    }
}
