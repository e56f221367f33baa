package io.dynajournal.projection.scaladsl;

import akka.Done;
import scala.collection.Iterable;
import scala.concurrent.Future;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;

/**
 * A handler of an exactly-once projection. It does not write itself: it returns the items to be written, and the projection
 * writes them in one transaction with the offset. One transaction has at most 100 items, and each entity of the envelope or
 * group takes one of them for its offset.
 *
 * <p>The handler may be called again for the same envelope, if the transaction failed or the projection was restarted; only
 * one such transaction succeeds. Envelopes are passed one after another.
 *
 * @param <E> the envelope, or a {@code Seq} of them for groups
 */
@FunctionalInterface
public interface DynajournalTransactHandler<E> {

    /**
     * The items to be written for an envelope or a group; none if there is nothing to do. If it throws or the future fails,
     * nothing is stored and the recovery strategy of the projection decides.
     */
    Future<Iterable<TransactWriteItem>> process(E envelope) throws Exception;

    /** Called before the first envelope of each run. */
    default Future<Done> start() {
        return Future.successful(Done.getInstance());
    }

    /** Called after the last envelope of each run, also if the run has failed. */
    default Future<Done> stop() {
        return Future.successful(Done.getInstance());
    }
}
