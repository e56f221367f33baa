package io.dynajournal.internal.layout.j5ik2o;

import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.dynamo.Item;
import io.dynajournal.internal.store.Finding;
import io.dynajournal.internal.store.FindingKind;
import io.dynajournal.internal.store.LogCheck;
import io.dynajournal.internal.store.Pages;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Finds rows under keys of other resolvers, and keys that another persistence id has taken. */
final class J5KeyCheck implements LogCheck {

    /** More missing sequence numbers are reported as a gap; each costs a read. */
    private static final int MAX_MISSING = 100;

    private final Dynamo dynamo;
    private final J5Journal settings;
    private final J5Items items;
    private final J5Index index;

    J5KeyCheck(Dynamo dynamo, J5Journal settings) {
        this.dynamo = dynamo;
        this.settings = settings;
        this.items = settings.items();
        this.index = new J5Index(dynamo, settings);
    }

    @Override
    public CompletionStage<List<Finding>> check(String persistenceId) {
        Rows rows = new Rows(persistenceId);
        return Pages.drain(
                        0L,
                        from -> index.page(persistenceId, from == null ? 0 : from, Long.MAX_VALUE)
                                .thenApply(page -> {
                                    page.items().forEach(rows::accept);
                                    return page.next() == null ? null : rows.next;
                                }))
                .thenCompose(read -> takenBy(persistenceId, rows.missing()))
                .thenApply(taken -> Stream.of(rows.underOtherKey, taken)
                        .filter(Objects::nonNull)
                        .toList());
    }

    /** Follows the rows of a log in order. */
    private final class Rows {
        private final String persistenceId;
        private final Set<Long> missing = new LinkedHashSet<>();
        private @Nullable Finding underOtherKey;
        private long next = 1;
        private boolean begun;

        Rows(String persistenceId) {
            this.persistenceId = persistenceId;
        }

        void accept(Item row) {
            long seqNr = items.seqNr(row);
            for (long at = next; begun && at < seqNr && missing.size() < MAX_MISSING; at++) {
                missing.add(at);
            }
            begun = true;
            next = Math.max(next, items.entry(row).skipTo() + 1);
            if (underOtherKey == null && items.hasOtherKey(row)) {
                underOtherKey = Finding.of(
                        FindingKind.OTHER_KEY,
                        persistenceId,
                        seqNr,
                        "its key is " + items.key(row).attributes().values() + ", the resolvers return "
                                + items.key(persistenceId, seqNr).attributes().values());
            }
        }

        /** Missing sequence numbers, and the one that is written next. */
        List<Long> missing() {
            List<Long> all = new ArrayList<>(missing);
            all.add(next);
            return all;
        }
    }

    /** Another persistence id under the key of one of these sequence numbers; null if there is none. */
    private CompletionStage<@Nullable Finding> takenBy(String persistenceId, List<Long> seqNrs) {
        return dynamo.getAll(
                        settings.tableName(),
                        seqNrs.stream()
                                .map(seqNr -> items.key(persistenceId, seqNr).attributes())
                                .distinct()
                                .toList())
                .thenApply(found -> found.stream()
                        .filter(row -> !items.persistenceId(row).equals(persistenceId))
                        .findFirst()
                        .map(row -> Finding.of(
                                FindingKind.KEY_COLLISION,
                                persistenceId,
                                items.seqNr(row),
                                "sequence number " + items.seqNr(row) + " of " + items.persistenceId(row)
                                        + " is under the same key"))
                        .orElse(null));
    }
}
