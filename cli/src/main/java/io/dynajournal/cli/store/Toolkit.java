package io.dynajournal.cli.store;

import java.util.Locale;

/** The toolkit that a configuration is for. */
public enum Toolkit {
    AKKA,
    PEKKO;

    /** The first element of its configuration paths. */
    String root() {
        return name().toLowerCase(Locale.ROOT);
    }
}
