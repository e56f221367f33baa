package io.dynajournal.internal.projection;

import akka.Done;
import java.util.List;
import java.util.concurrent.CompletionStage;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;

/**
 * A handler whose items are stored together with the offset.
 *
 * @param <T> an envelope, or a group of them
 */
public interface ItemsHandler<T> {

    /** The items for an envelope or a group; may throw. */
    CompletionStage<List<TransactWriteItem>> process(T envelopes) throws Exception;

    CompletionStage<Done> start();

    CompletionStage<Done> stop();
}
