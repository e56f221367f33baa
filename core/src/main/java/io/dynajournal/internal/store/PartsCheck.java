package io.dynajournal.internal.store;

import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Looks for parts of large items that belong to nothing. Changes nothing. Thread-safe. */
public interface PartsCheck {

    /** The ids under which parts are stored, by a scan of the table. */
    CompletionStage<PersistenceIds.IdPage> ids(@Nullable PageToken start);

    /** What may be wrong with the parts of an id; as for {@link LogCheck}. */
    CompletionStage<List<Finding>> check(String partId);
}
