package io.dynajournal.query;

import io.dynajournal.slices.Ask;
import io.dynajournal.store.PageToken;
import io.dynajournal.store.SliceRows;
import io.dynajournal.store.SliceRows.RowPage;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Pages of the index that several queries of one actor system want. Whoever asks for what another has just asked for gets
 * the same answer, so that ten consumers that are up to date cost what one does. Thread-safe.
 */
final class SharedPages {

    /** More than the partitions of a full range, so that all of them find theirs; most are empty. */
    private static final int KEPT = 2_048;

    /** Of pages with rows, which take memory. */
    private static final int KEPT_WITH_ROWS = 64;

    private record Question(
            String partition,
            long fromMicros,
            boolean again,
            @Nullable PageToken start,
            int limit) {}

    private record Asked(long micros, long toMicros, CompletionStage<RowPage> page) {}

    /** An answer, with the question as it was asked. */
    record Answer(Ask.OfIndex ask, RowPage page) {}

    private final SliceRows index;
    private final Lane lane;
    private final Map<Question, Asked> asked = new LinkedHashMap<>();
    private final Map<Question, Asked> withRows = new LinkedHashMap<>();

    SharedPages(SliceRows index, Lane lane) {
        this.index = index;
        this.lane = lane;
    }

    CompletionStage<Answer> read(Ask.OfIndex ask) {
        Asked mine = recent(ask);
        return mine.page().thenApply(page -> new Answer(ask.asked(mine.toMicros(), mine.micros()), page));
    }

    private synchronized Asked recent(Ask.OfIndex ask) {
        Question question =
                new Question(ask.partition().name(), ask.fromMicros(), ask.again(), ask.start(), ask.limit());
        Asked empty = asked.remove(question);
        Asked full = withRows.remove(question);
        Asked before = full == null ? empty : full;
        if (before != null && serves(before, ask)) {
            keep(full == null ? asked : withRows, question, before);
            return before;
        }
        Asked answer = send(ask);
        keep(asked, question, answer);
        answer.page().whenComplete((page, failure) -> {
            if (failure == null && !page.rows().isEmpty()) {
                holdsRows(question, answer);
            }
        });
        return answer;
    }

    private synchronized void holdsRows(Question question, Asked answer) {
        if (asked.remove(question, answer)) {
            keep(withRows, question, answer);
        }
    }

    private void keep(Map<Question, Asked> kept, Question question, Asked answer) {
        kept.put(question, answer);
        if (kept.size() > (kept == withRows ? KEPT_WITH_ROWS : KEPT)) {
            kept.remove(kept.keySet().iterator().next());
        }
    }

    private static boolean serves(Asked before, Ask.OfIndex ask) {
        return before.micros() >= ask.askedMicros() - ask.freshMicros()
                && Math.abs(before.toMicros() - ask.toMicros()) <= ask.freshMicros()
                && !before.page().toCompletableFuture().isCompletedExceptionally();
    }

    private Asked send(Ask.OfIndex ask) {
        CompletionStage<RowPage> page =
                lane.run(() -> index.read(ask.partition(), ask.fromMicros(), ask.toMicros(), ask.start(), ask.limit()));
        return new Asked(ask.askedMicros(), ask.toMicros(), page);
    }
}
