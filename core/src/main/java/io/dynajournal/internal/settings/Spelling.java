package io.dynajournal.internal.settings;

import java.util.Collection;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/** Finds the key that a misspelled one was probably meant to be. */
public final class Spelling {

    private Spelling() {}

    /** The nearest candidate; null if none is near. */
    public static @Nullable String nearest(String key, Collection<String> candidates) {
        return candidates.stream()
                .filter(candidate -> distance(key, candidate) <= Math.max(2, key.length() / 4))
                .min(Comparator.comparingInt(candidate -> distance(key, candidate)))
                .orElse(null);
    }

    /** Number of characters to insert, remove or change; 1 for a key that only lacks its block. */
    private static int distance(String key, String candidate) {
        return candidate.endsWith("." + key) || key.endsWith("." + candidate) ? 1 : edits(key, candidate);
    }

    private static int edits(String from, String to) {
        int[] row = new int[to.length() + 1];
        for (int j = 0; j <= to.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= from.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= to.length(); j++) {
                int change = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(change, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[to.length()];
    }
}
