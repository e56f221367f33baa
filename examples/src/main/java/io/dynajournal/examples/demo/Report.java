package io.dynajournal.examples.demo;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a {@link Worker} tells, a line each on its standard output. A line is far below the size up to which a pipe takes
 * it as a whole, so the death of the worker leaves no half of one.
 */
sealed interface Report {

    /** A cart is there again, with these items and quantities. */
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

    /** All carts are there again. */
    record Recovered(long millis, double readUnits) implements Report {
        @Override
        public String toString() {
            return "recovered " + millis + " " + readUnits;
        }
    }

    /** A cart is about to be asked to take an item. */
    record Adding(String cart, String item, int quantity) implements Report {
        @Override
        public String toString() {
            return "adding " + cart + " " + item + " " + quantity;
        }
    }

    /** A cart has answered that it took an item. */
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

    /** Empty for a line that is no report, such as one that a library prints. */
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
