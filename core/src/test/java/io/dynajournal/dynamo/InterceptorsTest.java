package io.dynajournal.dynamo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class InterceptorsTest {

    @TempDir
    private Path classPath;

    @Test
    void theSdkAloneHasNone() {
        assertThat(Interceptors.areThere()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"global/handlers", "services/dynamodb"})
    void theSdkFindsThemInItsFiles(String folder) throws IOException {
        Path file = classPath.resolve("software/amazon/awssdk/" + folder + "/execution.interceptors");
        Files.createDirectories(file.getParent());
        Files.writeString(file, "com.example.Tracing");
        try (URLClassLoader loader = new URLClassLoader(
                new URL[] {classPath.toUri().toURL()}, getClass().getClassLoader())) {
            assertThat(Interceptors.areThere(loader)).isTrue();
        }
    }
}
