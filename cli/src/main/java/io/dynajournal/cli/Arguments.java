package io.dynajournal.cli;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A parsed command line. */
record Arguments(String command, List<String> ids, Map<String, String> options, Map<String, String> settings) {

    private static final Set<String> WITH_VALUE =
            Set.of("--layout", "--table", "--set", "--endpoint", "--region", "--profile", "--from", "--to");
    private static final Set<String> WITHOUT_VALUE = Set.of("--json", "--help");

    static Arguments parse(String... words) {
        List<String> plain = new ArrayList<>();
        Map<String, String> options = new HashMap<>();
        Map<String, String> settings = new HashMap<>();
        for (int i = 0; i < words.length; i++) {
            String word = words[i];
            if (word.equals("--")) {
                plain.addAll(List.of(words).subList(i + 1, words.length));
                break;
            } else if (WITHOUT_VALUE.contains(word)) {
                options.put(word, "");
            } else if (WITH_VALUE.contains(word)) {
                if (++i == words.length) {
                    throw new Usage(word + " requires a value");
                }
                put(word, words[i], options, settings);
            } else if (word.startsWith("-")) {
                throw new Usage("unknown option " + word);
            } else {
                plain.add(word);
            }
        }
        String command = plain.isEmpty() ? "" : plain.get(0);
        return new Arguments(command, plain.isEmpty() ? plain : plain.subList(1, plain.size()), options, settings);
    }

    private static void put(String option, String value, Map<String, String> options, Map<String, String> settings) {
        if (!option.equals("--set")) {
            if (options.put(option, value) != null) {
                throw new Usage(option + " is given twice");
            }
            return;
        }
        int equals = value.indexOf('=');
        if (equals < 1) {
            throw new Usage("--set requires key=value, not " + value);
        }
        settings.put(value.substring(0, equals), value.substring(equals + 1));
    }

    boolean has(String option) {
        return options.containsKey(option);
    }

    @Nullable
    String option(String name) {
        return options.get(name);
    }

    long number(String name, long otherwise) {
        String value = options.get(name);
        if (value == null) {
            return otherwise;
        }
        try {
            long number = Long.parseLong(value);
            if (number >= 0) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw new Usage(name + " requires a sequence number, not " + value);
        }
        throw new Usage(name + " requires a sequence number of 0 or more, not " + value);
    }

    String id() {
        if (ids.size() != 1) {
            throw new Usage(command + " requires one persistence id, not " + ids.size());
        }
        return ids.get(0);
    }
}
