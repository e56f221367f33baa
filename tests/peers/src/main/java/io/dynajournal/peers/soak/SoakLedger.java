package io.dynajournal.peers.soak;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/**
 * A file of lines that survives the death of this process: each is handed to the operating system at once. Thread-safe.
 *
 * <pre>
 * acknowledged id number before link
 * replayed     id number before link
 * recovered    id count link
 * seen         id number
 * violation    id text
 * </pre>
 */
final class SoakLedger {

    private final OutputStream file;

    SoakLedger(String path) {
        try {
            this.file = new FileOutputStream(path, true);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void acknowledged(String id, SoakEvent event) {
        event("acknowledged", id, event);
    }

    void replayed(String id, SoakEvent event) {
        event("replayed", id, event);
    }

    private void event(String what, String id, SoakEvent event) {
        write(what + '\t' + id + '\t' + event.number() + '\t' + event.before() + '\t' + event.link());
    }

    void recovered(String id, SoakState state) {
        write("recovered\t" + id + '\t' + state.count() + '\t' + state.link());
    }

    void seen(String id, long number) {
        write("seen\t" + id + '\t' + number);
    }

    void violation(String id, String text) {
        write("violation\t" + id + '\t' + text);
    }

    private synchronized void write(String line) {
        try {
            file.write((line + '\n').getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
