package io.dynajournal.dynamo.direct;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * A page of items.
 *
 * @param next the key that the next page starts behind; null at the end
 */
public record Page(
        List<Map<String, AttributeValue>> items, @Nullable Map<String, AttributeValue> next) {}
