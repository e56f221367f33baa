package io.dynajournal.internal.query;

import io.dynajournal.internal.slices.Delivery;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** Reads the events or states of index rows. */
interface RowContents<T> {

    /**
     * The contents of the first deliveries, in their order.
     *
     * @param elements any number for each delivery
     * @param deliveries how many of the deliveries were read; at least one
     */
    record Contents<T>(List<T> elements, int deliveries) {}

    /** Reads as many of the deliveries as fit into memory; the others have to be asked for again. */
    CompletionStage<Contents<T>> of(List<Delivery> deliveries);
}
