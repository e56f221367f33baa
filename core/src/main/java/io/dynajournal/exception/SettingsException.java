package io.dynajournal.exception;

/**
 * A setting is wrong. The message names its full path, the value found and what was expected, never a secret. A plugin with a
 * wrong setting does not start: correct the setting and restart the application.
 */
public final class SettingsException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    /** @param message what is wrong, and how to correct it */
    public SettingsException(String message) {
        super(message);
    }

    /** What is wrong, and at the end the anchor of this exception in the runbook. */
    @Override
    public String getMessage() {
        return RunbookCode.added(super.getMessage(), SettingsException.class);
    }

    /**
     * A value that the core rejected.
     *
     * @param path of the block
     * @param rejection its message begins with the key inside the block, or with "Setting" and the key
     */
    public static SettingsException inBlock(String path, IllegalArgumentException rejection) {
        String text = RunbookCode.removed(rejection.getMessage());
        String prefix = "Setting ";
        return new SettingsException(
                prefix + path + "." + (text.startsWith(prefix) ? text.substring(prefix.length()) : text) + ".");
    }

    /**
     * A predecessor's setting that the core rejected.
     *
     * @param path of the block
     * @param rejection its message names the key
     */
    public static SettingsException within(String path, IllegalArgumentException rejection) {
        return new SettingsException("In the block " + path + ": " + rejection.getMessage());
    }

    /**
     * A setting with a wrong value.
     *
     * @param key the full path
     */
    public static SettingsException of(String key, String found, String expected) {
        return new SettingsException("Setting " + key + ": found " + found + ", expected " + expected + ".");
    }
}
