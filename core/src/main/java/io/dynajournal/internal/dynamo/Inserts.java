package io.dynajournal.internal.dynamo;

import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** Puts items where none are yet. */
interface Inserts {

    /** Completes with an empty value if the item was stored, otherwise with the item that is there. */
    CompletionStage<Optional<Item>> insert(Insert insert);
}
