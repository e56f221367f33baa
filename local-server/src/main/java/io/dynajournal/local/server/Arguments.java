package io.dynajournal.local.server;

import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The server's command line.
 *
 * @param directory stores the tables; null keeps them in memory
 * @param detached whether the server continues without the process that started it
 */
record Arguments(int port, @Nullable Path directory, boolean detached) {

    static Arguments parse(String... args) {
        int port = 0;
        Path directory = null;
        boolean detached = false;
        for (Iterator<String> rest = List.of(args).iterator(); rest.hasNext(); ) {
            String option = rest.next();
            switch (option) {
                case "--port" -> port = Integer.parseInt(rest.next());
                case "--dir" -> directory = Path.of(rest.next());
                case "--detached" -> detached = true;
                default -> throw new IllegalArgumentException("Unknown option " + option);
            }
        }
        return new Arguments(port, directory, detached);
    }
}
