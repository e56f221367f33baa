package io.dynajournal.internal.dynamo;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.endpoints.Endpoint;
import software.amazon.awssdk.services.dynamodb.endpoints.DynamoDbEndpointParams;
import software.amazon.awssdk.services.dynamodb.endpoints.DynamoDbEndpointProvider;

/**
 * The endpoint of one client, by the SDK's own rules. The SDK evaluates them for every request; their result is the same for all
 * requests with the same AWS account, unless a table is named by its ARN. Thread-safe.
 */
final class CachedEndpoint implements DynamoDbEndpointProvider {

    private record Cached(@Nullable String accountId, Endpoint endpoint) {}

    private final DynamoDbEndpointProvider rules = DynamoDbEndpointProvider.defaultProvider();
    private volatile @Nullable Cached cached;

    @Override
    public CompletableFuture<Endpoint> resolveEndpoint(DynamoDbEndpointParams params) {
        if (dependsOnRequest(params)) {
            return rules.resolveEndpoint(params);
        }
        Cached last = cached;
        if (last != null && Objects.equals(last.accountId, params.accountId())) {
            return CompletableFuture.completedFuture(last.endpoint);
        }
        return rules.resolveEndpoint(params).thenApply(endpoint -> {
            cached = new Cached(params.accountId(), endpoint);
            return endpoint;
        });
    }

    private static boolean dependsOnRequest(DynamoDbEndpointParams params) {
        List<String> tables = params.resourceArnList();
        return Boolean.TRUE.equals(params.isSearchOperation())
                || isArn(params.resourceArn())
                || (tables != null && tables.stream().anyMatch(CachedEndpoint::isArn));
    }

    private static boolean isArn(@Nullable String table) {
        return table != null && table.startsWith("arn:");
    }
}
