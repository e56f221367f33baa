package io.dynajournal.testkit.simulator;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Set;

/** The words that an expression may not use as an attribute's name without a placeholder. */
final class ReservedWords {

    private static final Set<String> WORDS = read();

    private ReservedWords() {}

    /** @param word in upper case */
    static boolean contains(String word) {
        return WORDS.contains(word);
    }

    static Set<String> all() {
        return WORDS;
    }

    private static Set<String> read() {
        try (InputStream in = Objects.requireNonNull(ReservedWords.class.getResourceAsStream("reserved-words.txt"))) {
            return Set.of(new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .strip()
                    .split("\\s+", -1));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
