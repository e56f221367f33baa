package io.dynajournal.settings;

/**
 * Something about a predecessor's setting that its user should know.
 *
 * @param key its full path
 */
public record Remark(String key, String text) {

    @Override
    public String toString() {
        return key + " (" + text + ")";
    }
}
