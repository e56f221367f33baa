package io.dynajournal.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynajournal.cli.terminal.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckpointTest {

    private static final Map<String, String> IDENTITY = Map.of("command", "copy", "from", "t1");

    @TempDir
    private Path dir = Path.of("");

    @Test
    void whatIsDoneIsRemembered() {
        Path file = dir.resolve("checkpoint");
        try (Checkpoint first = Checkpoint.open(file, IDENTITY)) {
            first.reached("a", 100);
            first.reached("b\n\"", 7);
            first.reached("a", 200);
            first.done("b\n\"");
        }
        try (Checkpoint next = Checkpoint.open(file, IDENTITY)) {
            assertThat(next.reached("a")).isEqualTo(200);
            assertThat(next.isDone("a")).isFalse();
            assertThat(next.isDone("b\n\"")).isTrue();
            assertThat(next.countDone()).isEqualTo(1);
            assertThat(next.reached("c")).isZero();
        }
    }

    @Test
    void anotherRunsFileIsRefused() {
        Path file = dir.resolve("checkpoint");
        Checkpoint.open(file, IDENTITY).close();
        assertThatThrownBy(() -> Checkpoint.open(file, Map.of("command", "copy", "from", "t2")))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("another run")
                .hasMessageContaining("t2");
    }

    @Test
    void aLineThatACrashHasCutIsDoneAgain() throws IOException {
        Path file = dir.resolve("checkpoint");
        try (Checkpoint first = Checkpoint.open(file, IDENTITY)) {
            first.done("a");
        }
        Files.writeString(file, "{\"id\":\"b\",\"do", StandardOpenOption.APPEND);
        try (Checkpoint next = Checkpoint.open(file, IDENTITY)) {
            assertThat(next.isDone("b")).isFalse();
            next.done("c");
        }
        try (Checkpoint last = Checkpoint.open(file, IDENTITY)) {
            assertThat(last.isDone("a")).isTrue();
            assertThat(last.isDone("c")).isTrue();
        }
    }

    @Test
    void withoutAFileNothingIsKept() {
        try (Checkpoint none = Checkpoint.none()) {
            none.done("a");
            assertThat(none.isDone("a")).isFalse();
        }
    }
}
