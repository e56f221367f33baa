package io.dynajournal.dynamo;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** What one Query gave; {@code next} is null at the end. */
public record ItemPage(List<Item> items, @Nullable Map<String, AttributeValue> next) {}
