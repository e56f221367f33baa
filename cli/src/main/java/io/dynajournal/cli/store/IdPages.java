package io.dynajournal.cli.store;

import io.dynajournal.internal.store.PageToken;
import io.dynajournal.internal.store.PersistenceIds;
import io.dynajournal.internal.store.PersistenceIds.IdPage;
import io.dynajournal.internal.store.StateTable;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Persistence ids page by page, one page in memory. */
public final class IdPages implements Iterator<String> {

    /** How many items a page of states may have. */
    private static final int PAGE_ITEMS = 1000;

    private final Function<@Nullable PageToken, CompletionStage<IdPage>> read;
    private final Deque<String> page = new ArrayDeque<>();
    private @Nullable PageToken next;
    private boolean started;

    private IdPages(Function<@Nullable PageToken, CompletionStage<IdPage>> read) {
        this.read = read;
    }

    public static IdPages of(PersistenceIds ids) {
        return new IdPages(ids::read);
    }

    /** Those of deleted states too. */
    public static IdPages of(StateTable states) {
        return new IdPages(start -> states.ids(start, PAGE_ITEMS, true));
    }

    @Override
    public boolean hasNext() {
        while (page.isEmpty() && (!started || next != null)) {
            IdPage read = Stores.await(this.read.apply(next));
            started = true;
            page.addAll(read.ids());
            next = read.next();
        }
        return !page.isEmpty();
    }

    @Override
    public String next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        return page.remove();
    }
}
