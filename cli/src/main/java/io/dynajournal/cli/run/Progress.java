package io.dynajournal.cli.run;

import io.dynajournal.cli.terminal.Console;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/** Shows how far a long run is: a bar on a terminal, a line every few seconds elsewhere. Thread-safe. */
interface Progress extends AutoCloseable {

    /**
     * Something was done.
     *
     * @param done how much in all
     * @param total how much there is to do; -1 while that is not known
     * @param consumed the capacity, for people
     */
    void update(long done, long total, String consumed);

    @Override
    void close();

    static Progress of(Console console, String unit) {
        return console.terminal().err()
                ? new Bar(
                        console.err(),
                        unit,
                        console.terminal().columns(),
                        console.terminal().colours())
                : new Lines(console.err(), unit, Duration.ofSeconds(10), System.nanoTime());
    }

    /** A bar that is drawn over itself. */
    final class Bar implements Progress {
        private static final int REFRESH_MILLIS = 250;
        private final ProgressBar bar;

        Bar(PrintStream err, String unit, int columns, boolean colours) {
            bar = new ProgressBarBuilder()
                    .setTaskName("")
                    .setInitialMax(-1)
                    .setUnit(" " + unit, 1)
                    .showSpeed()
                    .setStyle(colours ? ProgressBarStyle.COLORFUL_UNICODE_BLOCK : ProgressBarStyle.ASCII)
                    .setUpdateIntervalMillis(REFRESH_MILLIS)
                    .setConsumer(new ConsoleProgressBarConsumer(err, columns - 1))
                    .build();
        }

        @Override
        public void update(long done, long total, String consumed) {
            bar.maxHint(total);
            bar.setExtraMessage(" " + consumed);
            bar.stepTo(done);
        }

        @Override
        public void close() {
            bar.close();
        }
    }

    /** Lines for a log. */
    final class Lines implements Progress {
        private final PrintStream err;
        private final String unit;
        private final long intervalNanos;
        private final long start;
        private long printed;

        Lines(PrintStream err, String unit, Duration interval, long nanoTime) {
            this.err = err;
            this.unit = unit;
            this.intervalNanos = interval.toNanos();
            this.start = nanoTime;
            this.printed = nanoTime;
        }

        @Override
        public void update(long done, long total, String consumed) {
            update(done, total, consumed, System.nanoTime());
        }

        synchronized void update(long done, long total, String consumed, long nanoTime) {
            if (nanoTime - printed >= intervalNanos) {
                printed = nanoTime;
                err.println(line(done, total, consumed, nanoTime - start));
                err.flush();
            }
        }

        private String line(long done, long total, String consumed, long nanos) {
            double perSecond = done * (double) TimeUnit.SECONDS.toNanos(1) / Math.max(1, nanos);
            String rate = String.format(Locale.ROOT, "%,.0f/s", perSecond);
            if (total < 0) {
                return String.format(Locale.ROOT, "%,d %s, %s, %s", done, unit, rate, consumed);
            }
            String remaining = perSecond == 0
                    ? "unknown time"
                    : Duration.ofSeconds((long) Math.ceil((total - done) / perSecond))
                            .toString()
                            .substring(2)
                            .toLowerCase(Locale.ROOT);
            return String.format(
                    Locale.ROOT, "%,d of %,d %s, %s, %s left, %s", done, total, unit, rate, remaining, consumed);
        }

        @Override
        public void close() {}
    }
}
