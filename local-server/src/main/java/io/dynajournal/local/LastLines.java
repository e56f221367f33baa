package io.dynajournal.local;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Reads the error output of a process to its end, so that the process never blocks on a full pipe, and keeps the last lines
 * for an error message.
 */
final class LastLines {

    private static final int MAX_LINES = 20;

    private final Deque<String> lines = new ArrayDeque<>();
    private final Thread reading;

    private LastLines(BufferedReader from) {
        reading = new Thread(() -> readAll(from), "dynamodb-local-stderr");
        reading.setDaemon(true);
    }

    static LastLines of(BufferedReader from) {
        LastLines lines = new LastLines(from);
        lines.reading.start();
        return lines;
    }

    /** The last lines; waits up to a second for the end of the output. */
    String text() throws InterruptedException {
        reading.join(1000);
        synchronized (lines) {
            return String.join(System.lineSeparator(), lines);
        }
    }

    private void readAll(BufferedReader from) {
        try (from) {
            for (String line = from.readLine(); line != null; line = from.readLine()) {
                keep(line);
            }
        } catch (IOException e) {
            keep("(the rest could not be read: " + e + ")");
        }
    }

    private void keep(String line) {
        synchronized (lines) {
            if (lines.size() == MAX_LINES) {
                lines.removeFirst();
            }
            lines.addLast(line);
        }
    }
}
