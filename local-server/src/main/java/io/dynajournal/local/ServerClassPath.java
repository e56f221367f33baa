package io.dynajournal.local;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The class path of the server's JVM: this module and, from the local Maven repository, DynamoDB Local. */
final class ServerClassPath {

    private static final String LIST = "dynamodb-local.txt";

    private ServerClassPath() {}

    /** Prints the class path, for the script that starts the server without a parent. */
    public static void main(String[] args) {
        try {
            System.out.println(in(MavenRepository.find()));
        } catch (IllegalStateException e) {
            System.err.println(e.getMessage());
            System.exit(1);
        }
    }

    /** @throws IllegalStateException if a jar is missing; the message says how to fetch it */
    static String in(MavenRepository repository) {
        List<Coordinates> server = coordinates();
        server.stream()
                .filter(jar -> !Files.isRegularFile(repository.jar(jar)))
                .findFirst()
                .ifPresent(missing -> {
                    throw new IllegalStateException(missing(missing, repository, server.get(0)));
                });
        return Stream.concat(Stream.of(ownClasses()), server.stream().map(repository::jar))
                .map(Path::toString)
                .collect(Collectors.joining(File.pathSeparator));
    }

    /** DynamoDB Local itself first, then what it needs. */
    static List<Coordinates> coordinates() {
        try (InputStream list = Objects.requireNonNull(ServerClassPath.class.getResourceAsStream(LIST), LIST)) {
            return new String(list.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .map(Coordinates::parse)
                    .toList();
        } catch (IOException e) {
            throw new IllegalStateException("Cannot read " + LIST, e);
        }
    }

    static Path ownClasses() {
        try {
            return Path.of(ServerClassPath.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException("Cannot tell where the classes of this module are", e);
        }
    }

    private static String missing(Coordinates jar, MavenRepository repository, Coordinates server) {
        return """
                DynamoDB Local cannot start: %s is not in the Maven repository %s. \
                Amazon's licence does not let Dynajournal ship it; fetch it once with
                  mvn dependency:get -Dartifact=%s
                (for another repository set the system property dynajournal-local.repository)""".formatted(jar, repository.root(), server);
    }
}
