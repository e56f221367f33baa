package io.dynajournal.local;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The jars on a class path, found by their file names. */
record ClassPathJars(List<Path> jars) implements JarSource {

    ClassPathJars {
        jars = List.copyOf(jars);
    }

    static ClassPathJars ofThisJvm() {
        return of(System.getProperty("java.class.path", ""));
    }

    static ClassPathJars of(String classPath) {
        return new ClassPathJars(Stream.of(classPath.split(Pattern.quote(File.pathSeparator)))
                .filter(entry -> entry.endsWith(".jar"))
                .map(Path::of)
                .filter(Files::isRegularFile)
                .toList());
    }

    @Override
    public Optional<Path> jar(Coordinates coordinates) {
        return named(Pattern.compile(Pattern.quote(coordinates.fileName())));
    }

    @Override
    public Optional<Path> jarOfAnyVersion(Coordinates coordinates) {
        return named(Pattern.compile(Pattern.quote(coordinates.artifact()) + "-\\d[\\w.-]*\\.jar"));
    }

    private Optional<Path> named(Pattern name) {
        return jars.stream()
                .filter(jar -> name.matcher(jar.getFileName().toString()).matches())
                .findFirst();
    }

    @Override
    public String describe() {
        return "the class path";
    }
}
