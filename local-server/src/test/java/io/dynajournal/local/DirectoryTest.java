package io.dynajournal.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DirectoryTest {

    @TempDir
    Path parent;

    @Test
    void keepsWhatWasWrittenWhenTheServerIsClosedAndWhenItIsKilled() {
        Path directory = parent.resolve("tables");
        try (DynamoLocal first = DynamoLocal.on(directory)) {
            Requests requests = new Requests(first.endpoint());
            requests.createTable("events");
            requests.put("events", "before-close");
        }
        try (DynamoLocal second = DynamoLocal.on(directory)) {
            new Requests(second.endpoint()).put("events", "before-kill");
            ProcessHandle.of(second.pid()).orElseThrow().destroyForcibly();
        }
        try (DynamoLocal third = DynamoLocal.on(directory)) {
            assertThat(new Requests(third.endpoint()).scan("events")).contains("before-close", "before-kill");
        }
    }

    @Test
    void hasOneServerAtATime() throws IOException {
        Process second;
        try (FileChannel first = FileChannel.open(
                parent.resolve("dynajournal.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            assertThat(first.tryLock()).isNotNull();
            second = DynamoLocal.launch(DynamoLocal.Options.on(parent));

            assertThat(second.errorReader().readLine()).contains("Waiting for another server to leave");
        }
        assertThat(second.inputReader().readLine()).startsWith("endpoint ");
        second.getOutputStream().close();
        second.onExit().join();
    }
}
