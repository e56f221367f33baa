package io.dynajournal.settings;

/** A setting is wrong: the message names its full path, what was found and what is expected; never a secret. */
public final class SettingsException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    SettingsException(String message) {
        super(message);
    }

    /** What the core refused: its messages begin with the key inside the block. */
    static SettingsException inBlock(String path, IllegalArgumentException refusal) {
        return new SettingsException("Setting " + path + "." + refusal.getMessage() + ".");
    }

    /** What the core refused of a predecessor's settings: its messages name the key themselves. */
    static SettingsException within(String path, IllegalArgumentException refusal) {
        return new SettingsException("In the block " + path + ": " + refusal.getMessage());
    }

    public static SettingsException of(String key, String found, String expected) {
        return new SettingsException("Setting " + key + ": found " + found + ", expected " + expected + ".");
    }
}
