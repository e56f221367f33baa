package io.dynajournal.internal.layout.akka1;

import org.jspecify.annotations.Nullable;

/** The two forms of events and snapshots that versions of 1.x write. Every reader of 1.2 and later, and ours, reads both. */
public enum Akka1EventFormat {
    /** The toolkit's envelope in the attribute {@code pay}: the only form that 1.0 and 1.1 read. */
    PAY("pay"),

    /** One attribute for each field, as 1.2 and later write it. */
    EVENT("event");

    static final String SETTING = "event-format";

    private final String spelling;

    Akka1EventFormat(String spelling) {
        this.spelling = spelling;
    }

    /** The configured form; null for {@code auto}, which leaves it to what the table holds. */
    static @Nullable Akka1EventFormat of(String text) {
        String value = text.trim();
        if (value.isEmpty() || value.equals("auto")) {
            return null;
        }
        for (Akka1EventFormat form : values()) {
            if (form.spelling.equals(value)) {
                return form;
            }
        }
        throw new IllegalArgumentException(
                "Setting " + SETTING + " must be one of auto, pay, event, not \"" + text + "\"");
    }

    @Override
    public String toString() {
        return spelling;
    }
}
