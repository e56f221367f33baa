package io.dynajournal.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ProgressTest {

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final PrintStream err = new PrintStream(bytes, true, StandardCharsets.UTF_8);

    private String printed() {
        return bytes.toString(StandardCharsets.UTF_8);
    }

    @Test
    void aLineEveryTenSecondsTellsRateAndRemainingTime() {
        try (Progress.Lines lines = new Progress.Lines(err, "ids", Duration.ofSeconds(10), 0)) {
            lines.update(10, 4000, "1 read units", TimeUnit.SECONDS.toNanos(9));
            assertThat(printed()).isEmpty();
            lines.update(1000, 4000, "1.0 read units", TimeUnit.SECONDS.toNanos(10));
            lines.update(1001, 4000, "1.0 read units", TimeUnit.SECONDS.toNanos(11));
        }
        assertThat(printed().lines()).containsExactly("1,000 of 4,000 ids, 100/s, 30s left, 1.0 read units");
    }

    @Test
    void withoutATotalThereIsNoRemainingTime() {
        try (Progress.Lines lines = new Progress.Lines(err, "ids", Duration.ofSeconds(10), 0)) {
            lines.update(1000, -1, "1.0 read units", TimeUnit.SECONDS.toNanos(10));
        }
        assertThat(printed().lines()).containsExactly("1,000 ids, 100/s, 1.0 read units");
    }

    @Test
    void theBarShowsHowMuchIsDone() {
        try (Progress.Bar bar = new Progress.Bar(err, "ids", 100, false)) {
            bar.update(50, 100, "3.5 read units");
        }
        assertThat(printed()).contains("50/100").contains("3.5 read units").contains("50%");
    }
}
