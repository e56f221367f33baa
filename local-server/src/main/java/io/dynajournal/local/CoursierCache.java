package io.dynajournal.local;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Coursier's cache, which sbt uses: a Maven repository below {@code protocol/host/path} for each repository. */
record CoursierCache(Path root, List<MavenRepository> repositories) implements JarSource {

    /** Directories between the root and a repository: protocol, host, and the repository's path. */
    private static final int MAX_DEPTH = 5;

    CoursierCache {
        repositories = List.copyOf(repositories);
    }

    static CoursierCache find() {
        return of(directory());
    }

    static CoursierCache of(Path root) {
        if (!Files.isDirectory(root)) {
            return new CoursierCache(root, List.of());
        }
        try (Stream<Path> found = Files.find(
                root,
                MAX_DEPTH,
                (path, attributes) -> attributes.isDirectory()
                        && Files.isDirectory(path.resolve("com").resolve("amazonaws")))) {
            return new CoursierCache(root, found.map(MavenRepository::new).toList());
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot read Coursier's cache " + root, e);
        }
    }

    private static Path directory() {
        String configured = System.getenv("COURSIER_CACHE");
        if (configured != null && !configured.isBlank()) {
            return Path.of(configured);
        }
        Path home = Path.of(System.getProperty("user.home"));
        return Stream.of(home.resolve(".cache/coursier/v1"), home.resolve("Library/Caches/Coursier/v1"))
                .filter(Files::isDirectory)
                .findFirst()
                .orElse(home.resolve(".cache/coursier/v1"));
    }

    @Override
    public Optional<Path> jar(Coordinates coordinates) {
        return repositories.stream()
                .flatMap(repository -> repository.jar(coordinates).stream())
                .findFirst();
    }

    @Override
    public String describe() {
        return "Coursier's cache " + root;
    }
}
