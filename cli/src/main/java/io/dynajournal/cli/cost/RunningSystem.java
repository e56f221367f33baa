package io.dynajournal.cli.cost;

import io.dynajournal.cli.store.IdPages;
import io.dynajournal.cli.store.OpenStore;
import io.dynajournal.cli.store.Stores;
import io.dynajournal.cli.terminal.UsageException;
import io.dynajournal.internal.dynamo.TableFigures;
import io.dynajournal.internal.layout.JournalLayout;
import io.dynajournal.internal.layout.commits.CommitsJournal;
import io.dynajournal.internal.model.SeqRange;
import io.dynajournal.internal.model.StoredEvent;
import io.dynajournal.internal.store.EventLog;
import io.dynajournal.internal.store.EventPage;
import io.dynajournal.internal.store.LogEnd;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the journal of a running system shows of its workload.
 *
 * @param values of a workload, by key
 * @param findings what was measured, and what could not be
 */
public record RunningSystem(LayoutChoice layout, Map<String, String> values, List<String> findings) {

    /** Events that are read of an id at most: its last ones. */
    private static final int EVENTS_PER_ID = 200;

    /** The time of the last events by which the rate is estimated. */
    private static final long RATE_MICROS = Duration.ofDays(1).toNanos() / 1000;

    public RunningSystem {
        values = Map.copyOf(values);
        findings = List.copyOf(findings);
    }

    /** Units per second that CloudWatch or the application's metrics show; empty where they are not given. */
    public record Consumed(Optional<Double> writes, Optional<Double> reads) {

        private static final String DEFAULTS = "write-units-per-second = -1, read-units-per-second = -1";
        private static final double MAX_UNITS = 1e9;

        /**
         * The figures of a file and of options, which override it.
         *
         * @throws UsageException if a key or a value is wrong
         */
        public static Consumed of(@Nullable Path file, @Nullable Double writes, @Nullable Double reads) {
            CostSettings none = CostSettings.parsed(DEFAULTS);
            CostSettings settings = file == null ? none : none.with(file);
            return new Consumed(
                    units(writes, "--consumed-writes", settings, "write-units-per-second"),
                    units(reads, "--consumed-reads", settings, "read-units-per-second"));
        }

        private static Optional<Double> units(@Nullable Double option, String name, CostSettings settings, String key) {
            if (option != null) {
                if (!(option >= 0 && option <= MAX_UNITS)) {
                    throw new UsageException(name + " must be 0 or more, not " + option);
                }
                return Optional.of(option);
            }
            return settings.text(key).equals("-1") ? Optional.empty() : Optional.of(settings.number(key, 0, MAX_UNITS));
        }
    }

    /** What the events of the sample show. */
    private static final class Sample {
        private int ids;
        private long idBytes;
        private long events;
        private long bytes;
        private long manifestBytes;
        private long batches;
        private long recentEvents;
        private boolean hasTimes;
        private double eventsPerId;

        private void add(String id, LogEnd end, List<StoredEvent> read, long nowMicros) {
            ids++;
            idBytes += id.getBytes(StandardCharsets.UTF_8).length;
            eventsPerId += end.seqNr();
            long batchTime = -1;
            for (StoredEvent event : read) {
                events++;
                bytes += event.event().payload().bytes().length;
                manifestBytes += event.event().payload().manifest().getBytes(StandardCharsets.UTF_8).length;
                // Events of one atomic write have one time. Where the layout stores no times, each counts for itself.
                if (event.timestampMicros() == 0 || event.timestampMicros() != batchTime) {
                    batches++;
                }
                batchTime = event.timestampMicros();
                hasTimes |= batchTime > 0;
                if (event.timestampMicros() > nowMicros - RATE_MICROS) {
                    recentEvents++;
                }
            }
        }
    }

    /**
     * Reads the description of the table, and the last events of some persistence ids.
     *
     * @throws UsageException if the journal has no events
     */
    public static RunningSystem measure(OpenStore<JournalLayout> journal, int maxIds, Consumed consumed) {
        JournalLayout layout = journal.layout();
        TableFigures table =
                Stores.await(journal.dynamo().tables().figures(layout.table().name()));
        EventLog log = layout.open(journal.dynamo());
        Sample sample = new Sample();
        Iterator<String> ids = IdPages.of(layout.ids(journal.dynamo()));
        boolean all = true;
        while (ids.hasNext()) {
            String id = ids.next();
            if (sample.ids == maxIds) {
                all = false;
                break;
            }
            LogEnd end = Stores.await(log.end(id));
            sample.add(id, end, last(log, id, end), journal.dynamo().nowMicros());
        }
        if (sample.events == 0) {
            throw new UsageException("the table " + table.name()
                    + " has no events: describe the workload instead, without" + " --measure");
        }
        return new Measurement(layout, table, journal.endpoint(), sample, all, consumed).result();
    }

    private static List<StoredEvent> last(EventLog log, String id, LogEnd end) {
        long from = Math.max(1, end.seqNr() - EVENTS_PER_ID + 1);
        if (end.seqNr() < from) {
            return List.of();
        }
        EventPage page = Stores.await(log.read(id, SeqRange.singleEvents(from, end.seqNr(), EVENTS_PER_ID), null));
        return page.events();
    }

    private static final class Measurement {
        private final LayoutChoice layout;
        private final TableFigures table;
        private final String endpoint;
        private final Sample sample;
        private final boolean all;
        private final Consumed consumed;
        private final Map<String, String> values = new HashMap<>();
        private final List<String> findings = new ArrayList<>();

        Measurement(
                JournalLayout journal,
                TableFigures table,
                String endpoint,
                Sample sample,
                boolean all,
                Consumed consumed) {
            this.layout = LayoutChoice.of(journal);
            this.table = table;
            this.endpoint = endpoint;
            this.sample = sample;
            this.all = all;
            this.consumed = consumed;
        }

        RunningSystem result() {
            long eventSize = Math.max(1, Math.round((double) sample.bytes / sample.events));
            long manifest = Math.round((double) sample.manifestBytes / sample.events);
            long batch = Math.max(1, Math.round((double) sample.events / sample.batches));
            values.put("event-size", Long.toString(eventSize));
            values.put("manifest-size", Long.toString(Math.min(1000, manifest)));
            if (sample.hasTimes) {
                values.put("batch", Long.toString(batch));
            } else {
                findings.add(
                        "Not measured: how many events an atomic write has, because this layout stores no times; give"
                                + " --batch.");
            }
            values.put("id-size", Long.toString(Math.max(12, Math.min(1000, sample.idBytes / sample.ids))));
            say(
                    "table %s at %s, layout %s: %,d items, %,d bytes, and %,d bytes in its indexes, by its description, which"
                            + " DynamoDB renews about every six hours",
                    table.name(), endpoint, layout.name(), table.items(), table.bytes(), table.indexBytes());
            say(
                    "the last events of %,d persistence ids: %,d events of %,d bytes on average, with manifests of %,d bytes%s",
                    sample.ids,
                    sample.events,
                    eventSize,
                    manifest,
                    sample.hasTimes
                            ? ", " + Figures.number((double) sample.events / sample.batches) + " in an atomic write"
                            : "");
            long entities = entities();
            values.put("entities", Long.toString(entities));
            rate(entities);
            findings.add(
                    "Assumed, unless an option says otherwise: snapshots, retention, projections and starts per day.");
            return new RunningSystem(layout, values, findings);
        }

        /** By the items of the table, if not all ids were read. */
        private long entities() {
            if (all) {
                say("%,d persistence ids: all were read", sample.ids);
                return sample.ids;
            }
            double eventsPerId = Math.max(1, sample.eventsPerId / sample.ids);
            double eventsPerItem =
                    layout.journal() instanceof CommitsJournal ? (double) sample.events / sample.batches : 1;
            long entities = Math.max(sample.ids, Math.round(table.items() * eventsPerItem / eventsPerId));
            say(
                    "about %,d persistence ids: the table's items, and %s events per id of the sample",
                    entities, Figures.number(eventsPerId));
            return entities;
        }

        private void rate(long entities) {
            if (consumed.writes().isPresent()) {
                double perBatch = unitsPerBatch();
                double rate = consumed.writes().get() / perBatch * Long.parseLong(values.getOrDefault("batch", "1"));
                put(rate);
                say(
                        "%s events per second, by %s consumed write units per second and %s units for an atomic write",
                        Figures.number(rate), Figures.number(consumed.writes().get()), Figures.number(perBatch));
            } else if (sample.recentEvents > 0) {
                double rate = (double) sample.recentEvents * entities / sample.ids / (RATE_MICROS / 1e6);
                put(rate);
                say(
                        "%s events per second, by the sample's events of the last 24 hours; with --consumed-writes it is more exact",
                        Figures.number(rate));
            } else {
                findings.add(
                        "Not measured: the events per second. The sample has no event of the last 24 hours with a time; give"
                                + " --consumed-writes or --events-per-second.");
            }
            consumed.reads()
                    .ifPresent(reads -> say(
                            "%s consumed read units per second: compare them with the estimate for %s",
                            Figures.number(reads), layout.name()));
        }

        private void put(double rate) {
            values.put("events-per-second", Double.toString(Math.max(0.000001, rate)));
        }

        private double unitsPerBatch() {
            Workload workload = Workload.of(values, null, Map.of());
            try (LayoutUnits units = new LayoutUnits(layout, workload)) {
                units.write();
                return units.writes().tableWrites() + units.writes().indexWrites();
            }
        }

        private void say(String format, Object... values) {
            findings.add("Measured: " + String.format(Locale.ROOT, format, values) + ".");
        }
    }
}
