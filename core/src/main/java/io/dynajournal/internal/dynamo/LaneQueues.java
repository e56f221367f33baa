package io.dynajournal.internal.dynamo;

import io.dynajournal.listener.Lane;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Requests that wait, first in, first out within a kind, and in the order of the lanes. Not thread-safe. */
final class LaneQueues {

    /** A request that waits; {@code number} counts all that ever waited. */
    record Waiting(RequestKind kind, Runnable task, long number) {}

    private final Map<RequestKind, Queue<Waiting>> queues = new HashMap<>();
    private long number;

    boolean isEmpty() {
        return queues.isEmpty();
    }

    boolean contains(RequestKind kind) {
        return queues.containsKey(kind);
    }

    Set<RequestKind> kinds() {
        return queues.keySet();
    }

    void add(RequestKind kind, Runnable task) {
        queues.computeIfAbsent(kind, first -> new ArrayDeque<>()).add(new Waiting(kind, task, number++));
    }

    boolean remove(RequestKind kind, Runnable task) {
        Queue<Waiting> queue = queues.get(kind);
        if (queue == null) {
            return false;
        }
        // What is given up is mostly the oldest, so the search ends soon.
        for (Iterator<Waiting> each = queue.iterator(); each.hasNext(); ) {
            if (each.next().task() == task) {
                each.remove();
                removeIfEmpty(kind, queue);
                return true;
            }
        }
        return false;
    }

    /** Takes the first request of the first lane, of the kinds that may be sent. */
    @Nullable
    Waiting takeFirst(Predicate<RequestKind> maySend) {
        return take(heads(maySend)
                .min(Comparator.<Waiting, Lane>comparing(head -> head.kind().lane())
                        .thenComparing(Waiting::number)));
    }

    /** Takes the request that has waited longest, of the kinds that may be sent. */
    @Nullable
    Waiting takeOldest(Predicate<RequestKind> maySend) {
        return take(heads(maySend).min(Comparator.comparing(Waiting::number)));
    }

    private Stream<Waiting> heads(Predicate<RequestKind> maySend) {
        return queues.entrySet().stream()
                .filter(queue -> maySend.test(queue.getKey()))
                .map(queue -> queue.getValue().element());
    }

    private @Nullable Waiting take(Optional<Waiting> head) {
        head.ifPresent(waiting -> {
            Queue<Waiting> queue = queues.get(waiting.kind());
            if (queue != null) {
                queue.remove();
            }
            removeIfEmpty(waiting.kind(), queue);
        });
        return head.orElse(null);
    }

    private void removeIfEmpty(RequestKind kind, @Nullable Queue<Waiting> queue) {
        if (queue != null && queue.isEmpty()) {
            queues.remove(kind);
        }
    }
}
