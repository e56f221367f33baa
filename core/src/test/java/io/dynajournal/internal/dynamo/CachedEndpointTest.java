package io.dynajournal.internal.dynamo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.endpoints.Endpoint;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.endpoints.DynamoDbEndpointParams;
import software.amazon.awssdk.services.dynamodb.endpoints.DynamoDbEndpointProvider;

final class CachedEndpointTest {

    private final CachedEndpoint cached = new CachedEndpoint();

    private static DynamoDbEndpointParams.Builder params() {
        return DynamoDbEndpointParams.builder()
                .region(Region.EU_CENTRAL_1)
                .useFips(false)
                .useDualStack(false)
                .accountIdEndpointMode("preferred")
                .resourceArn("events");
    }

    private static List<DynamoDbEndpointParams> sequence() {
        String arn = "arn:aws:dynamodb:eu-central-1:%s:table/events";
        List<DynamoDbEndpointParams> all = new ArrayList<>();
        all.add(params().build());
        all.add(params().resourceArn("snapshots").build());
        all.add(params().accountId("111111111111").build());
        all.add(params().accountId("111111111111").resourceArn("snapshots").build());
        all.add(params().resourceArn(arn.formatted("222222222222")).build());
        all.add(params().resourceArn(null)
                .resourceArnList(List.of(arn.formatted("333333333333")))
                .build());
        all.add(params().build());
        all.add(params().accountId("444444444444").build());
        return all;
    }

    @Test
    void theResultIsAlwaysThatOfTheSdk() {
        DynamoDbEndpointProvider rules = DynamoDbEndpointProvider.defaultProvider();
        List<Endpoint> expected = sequence().stream()
                .map(params -> rules.resolveEndpoint(params).join())
                .toList();
        assertThat(expected.stream().distinct()).as("accounts have their own").hasSizeGreaterThan(3);
        assertThat(sequence().stream()
                        .map(params -> cached.resolveEndpoint(params).join()))
                .containsExactlyElementsOf(expected);
    }

    @Test
    void theRulesAreEvaluatedOnceForAnAccount() {
        Endpoint first = cached.resolveEndpoint(params().build()).join();
        assertThat(cached.resolveEndpoint(params().resourceArn("snapshots").build())
                        .join())
                .isSameAs(first);
    }
}
