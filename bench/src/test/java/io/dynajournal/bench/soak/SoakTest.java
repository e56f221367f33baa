package io.dynajournal.bench.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The smallest form of {@code bench/soak}: each process and the server are killed once. */
class SoakTest {

    @TempDir
    Path directory;

    @Test
    void nothingIsLostWhenProcessesAndServerAreKilled() throws IOException, InterruptedException {
        SoakArguments arguments = SoakArguments.of(List.of(
                "--seconds",
                "3",
                "--seconds-between-kills",
                "1",
                "--kills",
                "3",
                "--entities",
                "8",
                "--faults",
                "0.05",
                "--think-millis",
                "100"));

        SoakResult result = Soak.run(arguments, Path.of("..").toAbsolutePath().normalize(), directory);

        System.out.println(result);
        assertThat(result.problems()).isEmpty();
        assertThat(result.kills()).containsKeys("a", "b", "server");
        assertThat(result.acknowledged()).isGreaterThan(100);
        assertThat(result.injected()).isGreaterThan(10);
    }
}
