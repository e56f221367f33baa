package io.dynajournal.local;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/** Gradle's cache of modules: {@code group/artifact/version/checksum/artifact-version.jar}. */
record GradleCache(Path root) implements JarSource {

    static GradleCache find() {
        String home = System.getenv("GRADLE_USER_HOME");
        Path gradle =
                home == null || home.isBlank() ? Path.of(System.getProperty("user.home"), ".gradle") : Path.of(home);
        return new GradleCache(gradle.resolve("caches").resolve("modules-2").resolve("files-2.1"));
    }

    @Override
    public Optional<Path> jar(Coordinates coordinates) {
        return jarIn(artifact(coordinates).resolve(coordinates.version()), coordinates.fileName());
    }

    @Override
    public Optional<Path> jarOfAnyVersion(Coordinates coordinates) {
        return children(artifact(coordinates))
                .sorted(Comparator.comparing(Path::toString).reversed())
                .flatMap(version -> jarIn(
                        version,
                        new Coordinates(
                                        coordinates.group(),
                                        coordinates.artifact(),
                                        version.getFileName().toString())
                                .fileName())
                        .stream())
                .findFirst();
    }

    private Path artifact(Coordinates coordinates) {
        return root.resolve(coordinates.group()).resolve(coordinates.artifact());
    }

    private static Optional<Path> jarIn(Path version, String fileName) {
        return children(version)
                .map(checksum -> checksum.resolve(fileName))
                .filter(Files::isRegularFile)
                .findFirst();
    }

    private static Stream<Path> children(Path directory) {
        if (!Files.isDirectory(directory)) {
            return Stream.empty();
        }
        try (Stream<Path> children = Files.list(directory)) {
            return children.toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot read Gradle's cache " + directory, e);
        }
    }

    @Override
    public String describe() {
        return "Gradle's cache " + root;
    }
}
