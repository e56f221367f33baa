package io.dynajournal.local;

import java.nio.file.Path;
import java.util.Optional;

/** A place on this machine where a build tool keeps the jars it has downloaded. */
interface JarSource {

    /** The jar of exactly this version. */
    Optional<Path> jar(Coordinates coordinates);

    /** The jar of any version, because Gradle and sbt resolve versions by other rules than Maven; empty if unsupported. */
    default Optional<Path> jarOfAnyVersion(Coordinates coordinates) {
        return Optional.empty();
    }

    /** The place, for a message. */
    String describe();
}
