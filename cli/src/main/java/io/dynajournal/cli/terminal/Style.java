package io.dynajournal.cli.terminal;

/** Colours of a terminal. */
enum Style {
    HEADING("1"),
    DIM("2");

    private final String code;

    Style(String code) {
        this.code = code;
    }

    String apply(String text, boolean colours) {
        return colours ? "\u001b[" + code + "m" + text + "\u001b[0m" : text;
    }
}
