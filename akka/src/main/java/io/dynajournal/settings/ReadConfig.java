package io.dynajournal.settings;

import io.dynajournal.slices.Pace;
import io.dynajournal.slices.ReaderSettings;
import java.time.Duration;
import java.util.List;

/**
 * How queries by slice read.
 *
 * @param push whose writes wake queries
 */
public record ReadConfig(Push push, ReaderSettings reader) {

    /** All nodes of the cluster, this one, none. */
    public enum Push {
        ON,
        LOCAL,
        OFF
    }

    /** How much of the window the partitions of a query may be apart. */
    private static final int SLACK = 4;

    /** @param prefix of the keys, with its dot; empty if they stand in the block itself */
    static ReadConfig of(Block block, String prefix) {
        try {
            return new ReadConfig(
                    block.choice(prefix + "push", List.of(Push.values())),
                    reader(
                            block.duration(prefix + "trailing-window"),
                            block.count(prefix + "page-rows"),
                            block.count(prefix + "known-ids"),
                            block.count(prefix + "parallelism"),
                            new Pace(
                                    block.duration(prefix + "refresh-interval"),
                                    block.duration(prefix + "idle-refresh-interval"))));
        } catch (SettingsException e) {
            throw e;
        } catch (IllegalArgumentException e) {
            throw block.refused(e);
        }
    }

    static ReaderSettings reader(Duration window, int pageRows, int knownIds, int parallelism, Pace pace) {
        Duration slack = longer(window.dividedBy(SLACK), pace.idleRefresh().multipliedBy(2));
        return new ReaderSettings(window, slack, pageRows, knownIds, parallelism, pace);
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) >= 0 ? one : other;
    }
}
