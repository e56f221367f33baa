package io.dynajournal.query;

import io.dynajournal.slices.Delivery;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** What stands behind rows of an index, as elements of a stream. */
interface RowContents<T> {

    /** In the order of the deliveries; any number of elements for each. */
    CompletionStage<List<T>> of(List<Delivery> deliveries);
}
