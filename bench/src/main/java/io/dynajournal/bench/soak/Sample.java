package io.dynajournal.bench.soak;

import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;

/**
 * What a process needed and had done at one moment.
 *
 * @param heap bytes after a collection
 * @param sockets that are open; -1 where that is unknown
 */
record Sample(long heap, long threads, long sockets, long acknowledged, long recoveries, long failures) {

    static Sample of(String line) {
        String[] fields = line.split("\t", -1);
        return new Sample(
                Long.parseLong(fields[0]),
                Long.parseLong(fields[1]),
                Long.parseLong(fields[2]),
                Long.parseLong(fields[3]),
                Long.parseLong(fields[4]),
                Long.parseLong(fields[5]));
    }

    /**
     * A figure in the second and in the last quarter of a run; the first quarter warms up.
     *
     * @param early of the second quarter
     */
    record Trend(String what, long early, long late) {

        private static final double FLAT = 0.1;

        static Trend ofMedians(String what, List<Sample> samples, ToLongFunction<Sample> figure) {
            return of(what, samples, figure, 0.5);
        }

        /** For a pool, which shrinks and grows with the load up to its limit. */
        static Trend ofMaxima(String what, List<Sample> samples, ToLongFunction<Sample> figure) {
            return of(what, samples, figure, 1);
        }

        private static Trend of(String what, List<Sample> samples, ToLongFunction<Sample> figure, double quantile) {
            int quarter = samples.size() / 4;
            return new Trend(
                    what,
                    quantile(samples.subList(quarter, 2 * quarter), figure, quantile),
                    quantile(samples.subList(samples.size() - quarter, samples.size()), figure, quantile));
        }

        private static long quantile(List<Sample> samples, ToLongFunction<Sample> figure, double quantile) {
            List<Long> sorted =
                    samples.stream().mapToLong(figure).sorted().boxed().toList();
            return sorted.get((int) Math.min(sorted.size() - 1, sorted.size() * quantile));
        }

        /** Whether it has not grown by more than a tenth. */
        boolean isFlat() {
            return late <= early * (1 + FLAT);
        }

        @Override
        public String toString() {
            return String.format(Locale.ROOT, "%s %,d → %,d%s", what, early, late, isFlat() ? "" : " NOT FLAT");
        }
    }
}
