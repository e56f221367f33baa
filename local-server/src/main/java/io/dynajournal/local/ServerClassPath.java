package io.dynajournal.local;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The class path of the server's JVM: this module and the jars of DynamoDB Local, which are not shipped with it. */
final class ServerClassPath {

    private static final String LIST = "dynamodb-local.txt";
    private static final String DEPENDENCY_PLUGIN_VERSION = "3.8.1";

    private ServerClassPath() {}

    /** Prints the class path, for the script that starts the server without a parent. */
    public static void main(String[] args) {
        try {
            System.out.println(from(JarSearch.onThisMachine()));
        } catch (IllegalStateException e) {
            System.err.println(e.getMessage());
            System.exit(1);
        }
    }

    /** @throws IllegalStateException if a jar is missing; the message has the command that downloads it */
    static String from(JarSearch jars) {
        List<Coordinates> server = coordinates();
        return Stream.concat(
                        Stream.of(ownClasses()),
                        server.stream()
                                .map(jar -> jars.find(jar)
                                        .orElseThrow(
                                                () -> new IllegalStateException(missing(jar, jars, server.get(0))))))
                .map(Path::toString)
                .collect(Collectors.joining(File.pathSeparator));
    }

    /** DynamoDB Local itself first, then its dependencies. */
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
            throw new IllegalStateException("Cannot find the location of this module's classes", e);
        }
    }

    /** The version of the plugin is part of the command, because the default of Maven 3.8 resolves other versions. */
    private static String missing(Coordinates jar, JarSearch jars, Coordinates server) {
        return """
                DynamoDB Local cannot start: %s was not found in %s. \
                Amazon's licence does not allow Dynajournal to ship it. Download it once with
                  mvn org.apache.maven.plugins:maven-dependency-plugin:%s:get -Dartifact=%s
                For another Maven repository set the system property dynajournal-local.repository.""".formatted(jar, jars.describe(), DEPENDENCY_PLUGIN_VERSION, server);
    }
}
