package io.dynajournal.internal.layout;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The IAM actions that the requests of a layout to its table need, without those of the table's creation and checks.
 *
 * @param writer entities: they write, recover, and delete what they no longer need
 * @param reader queries, and the commands that look inside
 * @param projection queries by slice and of changes
 * @param cleanup deletes from outside the entities
 */
public record Permissions(Actions writer, Actions reader, Actions projection, Actions cleanup) {

    /**
     * Actions by what they are on: the empty text for the table, the name of an index for an index.
     */
    public record Actions(Map<String, Set<String>> byIndex) {

        public static final Actions NONE = new Actions(Map.of());

        /** Actions on the table, such as {@code PutItem}. */
        public static Actions of(String... actions) {
            return NONE.with("", actions);
        }

        /** With {@code Query} on indexes. */
        public Actions query(String... indexes) {
            Actions all = this;
            for (String index : indexes) {
                all = all.with(index, "Query");
            }
            return all;
        }

        /** With further actions on the table. */
        public Actions and(String... actions) {
            return with("", actions);
        }

        /** With all of others. */
        public Actions and(Actions others) {
            Actions all = this;
            for (Map.Entry<String, Set<String>> each : others.byIndex.entrySet()) {
                all = all.with(each.getKey(), each.getValue().toArray(String[]::new));
            }
            return all;
        }

        private Actions with(String index, String... actions) {
            Map<String, Set<String>> all = new LinkedHashMap<>(byIndex);
            Set<String> names = new TreeSet<>(all.getOrDefault(index, Set.of()));
            names.addAll(Arrays.asList(actions));
            all.put(index, names);
            return new Actions(all);
        }

        /** Those on the table and on the given indexes. */
        public Actions on(List<String> indexes) {
            Map<String, Set<String>> there = new LinkedHashMap<>(byIndex);
            there.keySet().removeIf(index -> !index.isEmpty() && !indexes.contains(index));
            return new Actions(there);
        }
    }
}
