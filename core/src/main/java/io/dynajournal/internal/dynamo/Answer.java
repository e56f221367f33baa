package io.dynajournal.internal.dynamo;

import java.util.List;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.ConsumedCapacity;

/**
 * An answer of DynamoDB.
 *
 * @param capacity empty if it was not requested
 * @param date the {@code Date} header; null if there is none
 */
public record Answer<T>(
        T value, List<ConsumedCapacity> capacity, @Nullable String date) {}
