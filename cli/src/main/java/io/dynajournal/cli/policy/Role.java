package io.dynajournal.cli.policy;

import io.dynajournal.cli.store.StoreSettings.PlannedTable;
import io.dynajournal.internal.layout.Permissions;
import io.dynajournal.internal.layout.Permissions.Actions;
import java.util.Locale;

/** Who sends requests. */
public enum Role {
    /** Entities that write and recover. */
    WRITER {
        @Override
        Actions of(Permissions permissions) {
            return permissions.writer();
        }
    },
    /** Queries, and commands that look inside. */
    READER {
        @Override
        Actions of(Permissions permissions) {
            return permissions.reader();
        }
    },
    /** Projections, and commands that control them. */
    PROJECTION {
        @Override
        Actions of(Permissions permissions) {
            return permissions.projection();
        }
    },
    /** Deletes from outside the entities. */
    CLEANUP {
        @Override
        Actions of(Permissions permissions) {
            return permissions.cleanup();
        }
    },
    /** Creates and compares tables; reads and writes no items. */
    ADMIN {
        @Override
        Actions of(Permissions permissions) {
            return Actions.NONE;
        }

        @Override
        boolean isWithout(PlannedTable planned) {
            return false;
        }

        @Override
        Actions ofTable(PlannedTable planned) {
            Actions tables = Actions.of("CreateTable", "DescribeTable");
            return planned.table().timeToLive() == null ? tables : tables.and("DescribeTimeToLive", "UpdateTimeToLive");
        }
    };

    abstract Actions of(Permissions permissions);

    /** Of the table itself: what each plugin checks at its start. */
    Actions ofTable(PlannedTable planned) {
        Actions check = Actions.of("DescribeTable");
        return planned.usesTimeToLive() ? check.and("DescribeTimeToLive") : check;
    }

    /** Whether the role does nothing with a table. */
    boolean isWithout(PlannedTable planned) {
        return of(planned.permissions()).equals(Actions.NONE);
    }

    /** All actions on a table and its indexes. */
    Actions actions(PlannedTable planned) {
        return of(planned.permissions()).on(planned.table().indexNames()).and(ofTable(planned));
    }

    /** As it is written on the command line. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
