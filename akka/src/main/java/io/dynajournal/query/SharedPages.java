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

    /** More than the partitions of a full range, so that all of them find theirs. */
    private static final int KEPT = 64;

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
        Asked before = asked.remove(question);
        Asked answer = before != null && serves(before, ask) ? before : send(ask);
        asked.put(question, answer);
        if (asked.size() > KEPT) {
            asked.remove(asked.keySet().iterator().next());
        }
        return answer;
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
