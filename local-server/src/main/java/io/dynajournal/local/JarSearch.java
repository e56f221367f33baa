package io.dynajournal.local;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Finds jars in several sources, in order. The listed version wins in every source; another version is used only where no
 * source has the listed one.
 */
record JarSearch(List<JarSource> sources) {

    JarSearch {
        sources = List.copyOf(sources);
    }

    /** The local Maven repository, the class path of this JVM, and the caches of Gradle and of sbt (Coursier). */
    static JarSearch onThisMachine() {
        return new JarSearch(
                List.of(MavenRepository.find(), ClassPathJars.ofThisJvm(), GradleCache.find(), CoursierCache.find()));
    }

    Optional<Path> find(Coordinates coordinates) {
        return sources.stream()
                .flatMap(source -> source.jar(coordinates).stream())
                .findFirst()
                .or(() -> sources.stream()
                        .flatMap(source -> source.jarOfAnyVersion(coordinates).stream())
                        .findFirst());
    }

    String describe() {
        return sources.stream().map(JarSource::describe).collect(Collectors.joining(", "));
    }
}
