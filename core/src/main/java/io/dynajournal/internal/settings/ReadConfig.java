package io.dynajournal.internal.settings;

import io.dynajournal.internal.slices.PollSchedule;
import io.dynajournal.internal.slices.ReaderSettings;
import java.time.Duration;

/**
 * How queries by slice read.
 *
 * @param push which writes wake the queries
 */
public record ReadConfig(Push push, ReaderSettings reader) {

    /** Which writes wake a live query. */
    public enum Push {
        /** Those of all nodes of the cluster. */
        CLUSTER,
        /** Those of the same actor system. */
        LOCAL,
        /** None: the query only polls. */
        OFF
    }

    /** The partitions of a query may be apart by the window divided by this. */
    private static final int SLACK_DIVISOR = 4;

    /** @param prefix of the keys, with its dot; empty if they are in the block itself */
    static ReadConfig of(Block block, String prefix) {
        return block.checked(() -> new ReadConfig(
                push(block.flag(prefix + "push.enabled"), block.flag(prefix + "push.cluster")),
                reader(
                        block.duration(prefix + "backtracking.window"),
                        block.count(prefix + "page-size"),
                        block.count(prefix + "tracked-entities"),
                        block.count(prefix + "parallelism"),
                        new PollSchedule(
                                block.duration(prefix + "refresh-interval"),
                                block.duration(prefix + "idle-refresh-interval")))));
    }

    static Push push(boolean enabled, boolean cluster) {
        return !enabled ? Push.OFF : cluster ? Push.CLUSTER : Push.LOCAL;
    }

    static ReaderSettings reader(
            Duration window, int pageSize, int trackedEntities, int parallelism, PollSchedule schedule) {
        Duration slack =
                longer(window.dividedBy(SLACK_DIVISOR), schedule.idleRefresh().multipliedBy(2));
        return new ReaderSettings(window, slack, pageSize, trackedEntities, parallelism, schedule);
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) >= 0 ? one : other;
    }
}
