package io.dynajournal.testkit.history;

import io.dynajournal.internal.model.SliceRange;
import io.dynajournal.internal.model.StoredEvent;
import io.dynajournal.internal.slices.Delivery;
import io.dynajournal.internal.slices.PollSchedule;
import io.dynajournal.internal.slices.ReaderSettings;
import io.dynajournal.internal.slices.ResumePoint;
import io.dynajournal.internal.store.SliceIndex;
import io.dynajournal.internal.store.SliceRow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A live query that stops and starts again from an offset, and queries of current events. Each run delivers the events of an entity
 * once and in order; all runs together, each with what was delivered up to its offset, deliver everything.
 */
final class SliceQueries {

    /** The tag of every second event. */
    static final String TAG = "even";

    private static final int MAX_MINUTES = 20;
    private static final Duration WINDOW = Duration.ofMinutes(2);

    private record Delivered(String persistenceId, long seqNr, String event, long micros) {}

    private final Map<String, EntityHistory> histories;
    private final ReaderSettings settings;
    private final @Nullable String tag;
    private final SliceRange slices;
    private final SplittableRandom random;
    private final Set<String> consumed = new HashSet<>();
    private List<Delivered> run = new ArrayList<>();
    private ResumePoint resume = ResumePoint.BEGINNING;
    private @Nullable SliceConsumer<StoredEvent> live;

    /**
     * The queries of a program.
     *
     * @param histories by persistence id
     * @param slices what is queried
     */
    SliceQueries(Map<String, EntityHistory> histories, SliceRange slices, SplittableRandom random) {
        this.histories = histories;
        this.random = random;
        this.tag = random.nextInt(4) == 0 ? TAG : null;
        this.slices = slices;
        this.settings = new ReaderSettings(
                WINDOW,
                Duration.ofSeconds(64),
                1 + random.nextInt(5),
                random.nextInt(3) == 0 ? 2 : 100,
                1 + random.nextInt(3),
                new PollSchedule(Duration.ofSeconds(3), Duration.ofSeconds(32)));
    }

    boolean isRunning() {
        return live != null;
    }

    /** Starts the live query after its last offset, if the layout has an index. */
    void start(Node node) {
        Optional<SliceIndex> index = node.layout().slices(node.dynamo());
        if (index.isPresent()) {
            live = consumer(node, index.get(), resume, true, run);
            live.start();
        }
    }

    /** The consumer has stored an offset, maybe not the last one. */
    void stop() {
        SliceConsumer<StoredEvent> stopping = live;
        if (stopping == null) {
            return;
        }
        stopping.stop();
        live = null;
        int upTo = random.nextInt(3) == 0 ? random.nextInt(run.size() + 1) : run.size();
        if (upTo > 0) {
            List<Delivered> stored = run.subList(0, upTo);
            stored.forEach(each -> consumed.add(each.event()));
            long micros = stored.get(upTo - 1).micros();
            Map<String, Long> seen = new HashMap<>();
            stored.stream()
                    .filter(each -> each.micros() == micros)
                    .forEach(each -> seen.merge(each.persistenceId(), each.seqNr(), Math::max));
            resume = ResumePoint.after(micros, seen, settings);
        }
        run = new ArrayList<>();
    }

    private SliceConsumer<StoredEvent> consumer(
            Node node, SliceIndex index, ResumePoint from, boolean isLive, List<Delivered> deliveries) {
        Map<String, Long> last = new HashMap<>();
        Predicate<SliceRow> filter = row -> tag == null || row.tags().contains(tag);
        SliceConsumer.Contents<StoredEvent> contents = rows ->
                index.events(rows.stream().map(Delivery::row).toList()).thenApply(events -> wanted(rows, events));
        return new SliceConsumer<>(node, index, settings, slices, from, isLive, filter, contents, event -> {
            deliveries.add(delivered(event));
            Long before = last.put(event.persistenceId(), event.seqNr());
            if (before != null && before >= event.seqNr()) {
                throw history(event)
                        .violation("a query received sequence number " + event.seqNr() + " after " + before);
            }
        });
    }

    private List<List<StoredEvent>> wanted(List<Delivery> rows, List<List<StoredEvent>> events) {
        List<List<StoredEvent>> wanted = new ArrayList<>();
        for (int i = 0; i < events.size(); i++) {
            long from = rows.get(i).fromSeqNr();
            wanted.add(events.get(i).stream()
                    .filter(event -> event.seqNr() >= from
                            && (tag == null || event.event().tags().contains(tag)))
                    .toList());
        }
        return wanted;
    }

    private EntityHistory history(StoredEvent event) {
        EntityHistory history = histories.get(event.persistenceId());
        if (history == null) {
            throw new Violation("A query received an event of " + event.persistenceId() + ", which does not exist");
        }
        return history;
    }

    private Delivered delivered(StoredEvent event) {
        String text = Replay.text(event.event().payload());
        history(event).queried(event.seqNr(), text);
        history(event).timed(event.seqNr(), event.timestampMicros());
        return new Delivered(event.persistenceId(), event.seqNr(), text, event.timestampMicros());
    }

    /** Without faults, a live query that runs delivers what the index showed late, without a restart. */
    void finishRunning(World world) {
        SliceConsumer<StoredEvent> running = live;
        if (running == null || running.isOver()) {
            return;
        }
        List<Delivered> delivered = run;
        awaitComplete(world, delivered);
        Set<String> all = new HashSet<>(consumed);
        delivered.forEach(each -> all.add(each.event()));
        queried().forEach(history -> {
            history.check();
            history.checkQueried("a live query that runs", all, tag != null);
        });
    }

    /** A reader that tracks fewer entities than there are waits for its backtracking window. */
    private void awaitComplete(World world, List<Delivered> delivered) {
        for (int minutes = 0; minutes < MAX_MINUTES && !isComplete(delivered); minutes++) {
            world.settle(() -> isComplete(delivered));
        }
    }

    /** Without faults, and after the last change has reached the index: a restart, and a query from the beginning. */
    void finish(World world, Node node) {
        Optional<SliceIndex> index = node.layout().slices(node.dynamo());
        if (index.isEmpty()) {
            return;
        }
        stop();
        List<Delivered> current = new ArrayList<>();
        SliceConsumer<StoredEvent> all = consumer(node, index.get(), ResumePoint.BEGINNING, false, current);
        start(node);
        all.start();
        world.settle(all::isOver);
        if (!all.isOver() || all.failure() != null) {
            throw new Violation("A query of current events does not end without faults: " + all.failure());
        }
        List<Delivered> delivered = run;
        awaitComplete(world, delivered);
        delivered.forEach(each -> consumed.add(each.event()));
        stop();
        queried().forEach(history -> {
            history.check();
            history.checkQueried("a query of current events", events(current), tag != null);
            history.checkQueried("a live query, with its restarts,", consumed, tag != null);
        });
    }

    private Stream<EntityHistory> queried() {
        return histories.values().stream().filter(history -> slices.contains(history.persistenceId()));
    }

    private boolean isComplete(List<Delivered> delivered) {
        Set<String> all = new HashSet<>(consumed);
        delivered.forEach(each -> all.add(each.event()));
        return queried().allMatch(history -> history.lacking(all, tag != null) == null);
    }

    private static Collection<String> events(List<Delivered> delivered) {
        return delivered.stream().map(Delivered::event).collect(Collectors.toSet());
    }
}
