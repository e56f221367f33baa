package io.dynajournal.dynamo.direct;

import java.util.List;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.ConsumedCapacity;

/**
 * What DynamoDB answered.
 *
 * @param capacity empty if it was not asked for
 * @param date the server's clock as HTTP writes it; null if it was not told
 */
public record Answer<T>(
        T value, List<ConsumedCapacity> capacity, @Nullable String date) {}
