package io.dynajournal.bench.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A generated part of a document, between {@code <!-- name -->} and {@code <!-- end of name -->}. */
public final class DocumentSection {

    private DocumentSection() {}

    /** Replaces the content of a section. */
    public static void replace(Path document, String name, String text) throws IOException {
        Files.writeString(document, replaced(Files.readString(document), name, text));
    }

    static String replaced(String document, String name, String text) {
        String begin = "<!-- " + name + " -->\n";
        String end = "<!-- end of " + name + " -->\n";
        int from = document.indexOf(begin);
        int to = document.indexOf(end);
        if (from < 0 || to < from) {
            throw new IllegalArgumentException("the document has no section \"" + name + "\"");
        }
        return document.substring(0, from + begin.length()) + text + document.substring(to);
    }
}
