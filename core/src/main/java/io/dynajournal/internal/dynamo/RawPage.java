package io.dynajournal.internal.dynamo;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * A page of a query as DynamoDB sends it.
 *
 * @param next the key after which the next page starts; null at the end
 */
public record RawPage(
        List<Map<String, AttributeValue>> items, @Nullable Map<String, AttributeValue> next) {}
