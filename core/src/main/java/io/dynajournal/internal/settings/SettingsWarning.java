package io.dynajournal.internal.settings;

/**
 * A setting of a predecessor that has no effect here, or another one.
 *
 * @param key its full path
 */
record SettingsWarning(String key, String text) {
    @Override
    public String toString() {
        return key + " (" + text + ")";
    }
}
