package io.dynajournal.examples.demo;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a {@link Worker} reports, one line each on its standard output. Lines are shorter than what a pipe writes atomically, so
 * a killed worker leaves no half line.
 */
sealed interface Report {

    /** A cart has recovered, with these items and quantities. */
    record Holds(String cart, Map<String, Integer> items) implements Report {
        @Override
        public String toString() {
            return Stream.concat(
                            Stream.of("holds", cart),
                            new TreeMap<>(items)
                                    .entrySet().stream().map(entry -> entry.getKey() + "=" + entry.getValue()))
                    .collect(Collectors.joining(" "));
        }
    }

    /** All carts have recovered. */
    record Recovered(long millis, double readUnits) implements Report {
        @Override
        public String toString() {
            return "recovered " + millis + " " + readUnits;
        }
    }

    /** An item is about to be added to a cart. */
    record Adding(String cart, String item, int quantity) implements Report {
        @Override
        public String toString() {
            return "adding " + cart + " " + item + " " + quantity;
        }
    }

    /** A cart has acknowledged an item. */
    record Added(String cart, String item, int quantity) implements Report {
        @Override
        public String toString() {
            return "added " + cart + " " + item + " " + quantity;
        }
    }

    /** The write units that this many events took. */
    record Spent(long events, double table, double indexes, double snapshots) implements Report {

        double perEvent(double units) {
            return units / Math.max(1, events);
        }

        @Override
        public String toString() {
            return "spent " + events + " " + table + " " + indexes + " " + snapshots;
        }
    }

    /** A query by slices has delivered this many events. */
    record Queried(long events, long millis) implements Report {
        @Override
        public String toString() {
            return "queried " + events + " " + millis;
        }
    }

    /** The read model has counted this many events. */
    record Projected(long events) implements Report {
        @Override
        public String toString() {
            return "projected " + events;
        }
    }

    /** The read model's count of an item. */
    record Popular(String item, long quantity) implements Report {
        @Override
        public String toString() {
            return "popular " + item + " " + quantity;
        }
    }

    /** Empty for a line that is not a report, such as one that a library prints. */
    static Optional<Report> parse(String line) {
        String[] words = line.split(" ", -1);
        return switch (words[0]) {
            case "holds" -> Optional.of(new Holds(words[1], items(words)));
            case "recovered" -> Optional.of(new Recovered(Long.parseLong(words[1]), Double.parseDouble(words[2])));
            case "adding" -> Optional.of(new Adding(words[1], words[2], Integer.parseInt(words[3])));
            case "added" -> Optional.of(new Added(words[1], words[2], Integer.parseInt(words[3])));
            case "spent" ->
                Optional.of(new Spent(
                        Long.parseLong(words[1]),
                        Double.parseDouble(words[2]),
                        Double.parseDouble(words[3]),
                        Double.parseDouble(words[4])));
            case "queried" -> Optional.of(new Queried(Long.parseLong(words[1]), Long.parseLong(words[2])));
            case "projected" -> Optional.of(new Projected(Long.parseLong(words[1])));
            case "popular" -> Optional.of(new Popular(words[1], Long.parseLong(words[2])));
            default -> Optional.empty();
        };
    }

    private static Map<String, Integer> items(String[] words) {
        return Stream.of(words)
                .skip(2)
                .map(word -> word.split("=", 2))
                .collect(Collectors.toMap(pair -> pair[0], pair -> Integer.valueOf(pair[1])));
    }
}
