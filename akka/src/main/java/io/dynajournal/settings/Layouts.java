package io.dynajournal.settings;

import io.dynajournal.layout.JournalLayout;
import io.dynajournal.layout.SnapshotLayout;
import io.dynajournal.layout.StateLayout;
import io.dynajournal.layout.commits.CommitsJournal;
import io.dynajournal.layout.commits.CommitsSnapshots;
import io.dynajournal.layout.commits.CommitsStates;
import java.util.List;

/** The one place that knows the layouts by name. */
final class Layouts {

    private enum Layout {
        COMMITS
    }

    private Layouts() {}

    static JournalLayout journal(Block block) {
        Layout layout = block.choice("layout", List.of(Layout.values()));
        try {
            return switch (layout) {
                case COMMITS ->
                    new CommitsJournal(
                            block.tableName("table"),
                            block.flag("index.slices"),
                            block.flag("index.ids"),
                            block.count("index.partitions"),
                            block.flag("compression"),
                            block.intBytes("item-size"),
                            block.count("page-items"),
                            block.count("replay-parallelism"),
                            block.duration("deleted-commits-live"));
            };
        } catch (SettingsException e) {
            throw e;
        } catch (IllegalArgumentException e) {
            throw block.refused(e);
        }
    }

    static SnapshotLayout snapshots(Block block) {
        Layout layout = block.choice("layout", List.of(Layout.values()));
        try {
            return switch (layout) {
                case COMMITS ->
                    new CommitsSnapshots(
                            block.tableName("table"),
                            block.flag("index.slices"),
                            block.flag("compression"),
                            block.intBytes("item-size"));
            };
        } catch (SettingsException e) {
            throw e;
        } catch (IllegalArgumentException e) {
            throw block.refused(e);
        }
    }

    static StateLayout states(Block block) {
        Layout layout = block.choice("layout", List.of(Layout.values()));
        try {
            return switch (layout) {
                case COMMITS ->
                    new CommitsStates(
                            block.tableName("table"),
                            block.flag("index.slices"),
                            block.count("index.partitions"),
                            block.flag("compression"),
                            block.intBytes("item-size"),
                            block.optionalDuration("deleted-states-live"));
            };
        } catch (SettingsException e) {
            throw e;
        } catch (IllegalArgumentException e) {
            throw block.refused(e);
        }
    }
}
