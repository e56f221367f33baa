package io.dynajournal.testkit.history;

import io.dynajournal.internal.catalog.Layout;
import io.dynajournal.internal.layout.LayoutSettings;
import io.dynajournal.internal.layout.StateLayout;
import io.dynajournal.internal.layout.commits.CommitsStates;
import java.util.List;
import java.util.Map;

/** A layout of durable states under test. */
record StateSubject(String name, StateLayout layout) {

    private static final String TABLE = "states";

    static List<StateSubject> all() {
        Map<String, String> j5ik2o = Map.of("table-name", TABLE, "shard-count", Integer.toString(Integer.MAX_VALUE));
        return List.of(
                // Small items, so that states have parts.
                new StateSubject("states-commits", new CommitsStates(TABLE, true, 2, true, 4096, null)),
                new StateSubject(
                        "states-j5ik2o",
                        Layout.J5IK2O.states(new LayoutSettings(j5ik2o)).orElseThrow()));
    }
}
