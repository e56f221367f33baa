package io.dynajournal.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jars are found where Maven, Gradle and sbt keep them, and on the class path. */
final class JarSearchTest {

    private static final Coordinates JAR = Coordinates.parse("com.amazonaws:DynamoDBLocal:2.6.1");

    @TempDir
    Path directory;

    private Path file(String path) throws IOException {
        Path file = directory.resolve(path);
        Files.createDirectories(file.getParent());
        return Files.createFile(file);
    }

    @Test
    void gradlesCacheHasAChecksumInThePath() throws IOException {
        GradleCache gradle = new GradleCache(directory);
        assertThat(gradle.jar(JAR)).isEmpty();
        file("com.amazonaws/DynamoDBLocal/2.6.1/0a1b/DynamoDBLocal-2.6.1.pom");
        Path jar = file("com.amazonaws/DynamoDBLocal/2.6.1/2c3d/DynamoDBLocal-2.6.1.jar");
        assertThat(gradle.jar(JAR)).contains(jar);
    }

    @Test
    void coursiersCacheHasARepositoryPerHost() throws IOException {
        assertThat(CoursierCache.of(directory.resolve("none")).jar(JAR)).isEmpty();
        Path jar = file("https/repo.example.com/libs/maven2/com/amazonaws/DynamoDBLocal/2.6.1/DynamoDBLocal-2.6.1.jar");
        assertThat(CoursierCache.of(directory).jar(JAR)).contains(jar);
    }

    @Test
    void aJarOnTheClassPathIsFoundByItsName() throws IOException {
        Path other = file("lib/DynamoDBLocalClient-2.6.1.jar");
        Path jar = file("lib/DynamoDBLocal-2.6.1.jar");
        assertThat(ClassPathJars.of(other + File.pathSeparator + jar).jar(JAR)).contains(jar);
        assertThat(ClassPathJars.of(other.toString()).jarOfAnyVersion(JAR)).isEmpty();
    }

    @Test
    void theListedVersionWinsOverAnotherInAnEarlierSource() throws IOException {
        Path newer = file("lib/DynamoDBLocal-2.7.0.jar");
        Path gradle = file("gradle/com.amazonaws/DynamoDBLocal/2.6.0/0a1b/DynamoDBLocal-2.6.0.jar");
        ClassPathJars classPath = ClassPathJars.of(newer.toString());
        GradleCache cache = new GradleCache(directory.resolve("gradle"));
        assertThat(new JarSearch(List.of(classPath, cache)).find(JAR)).contains(newer);
        assertThat(new JarSearch(List.of(cache)).find(JAR)).contains(gradle);
        Path listed = file("gradle/com.amazonaws/DynamoDBLocal/2.6.1/2c3d/DynamoDBLocal-2.6.1.jar");
        assertThat(new JarSearch(List.of(classPath, cache)).find(JAR)).contains(listed);
        assertThat(new JarSearch(List.of()).find(JAR)).isEmpty();
    }
}
