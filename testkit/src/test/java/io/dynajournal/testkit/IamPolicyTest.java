package io.dynajournal.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class IamPolicyTest {

    private static final String POLICY = """
            {"Version": "2012-10-17", "Statement": [
              {"Effect": "Allow", "Action": ["dynamodb:PutItem", "dynamodb:Query"],
               "Resource": "arn:aws:dynamodb:*:*:table/events"},
              {"Effect": "Allow", "Action": "dynamodb:Query", "Resource": ["arn:aws:dynamodb:*:*:table/events/index/slices"]},
              {"Effect": "Allow", "Action": "dynamodb:PartiQLInsert", "Resource": ["arn:aws:dynamodb:*:*:table/events"]},
              {"Effect": "Deny", "Action": "dynamodb:*", "Resource": "arn:aws:dynamodb:*:*:table/secret?"},
              {"Effect": "Allow", "Action": "dynamodb:*", "Resource": "arn:aws:dynamodb:*:*:table/secret*"}]}
            """;

    private final IamPolicy policy = IamPolicy.parse(POLICY);

    private boolean allows(String operation, String body) {
        return policy.allows(operation, body);
    }

    @Test
    void whatIsGrantedIsAllowed() {
        assertThat(allows("PutItem", "{\"TableName\":\"events\"}")).isTrue();
        assertThat(allows("Query", "{\"TableName\":\"events\",\"IndexName\":\"slices\"}"))
                .isTrue();
        assertThat(allows("PutItem", "{\"TableName\":\"secrets\"}")).isFalse();
        assertThat(allows("PutItem", "{\"TableName\":\"secret\"}")).isTrue();
        assertThat(allows("PutItem", "{\"TableName\":\"events2\"}")).isFalse();
        assertThat(allows("DeleteItem", "{\"TableName\":\"events\"}")).isFalse();
        assertThat(policy.denied())
                .containsExactly(
                        "dynamodb:DeleteItem on " + IamRequest.ACCOUNT + "table/events",
                        "dynamodb:PutItem on " + IamRequest.ACCOUNT + "table/events2",
                        "dynamodb:PutItem on " + IamRequest.ACCOUNT + "table/secrets");
    }

    @Test
    void theTableDoesNotGrantItsIndexes() {
        assertThat(allows("Query", "{\"TableName\":\"events\",\"IndexName\":\"ids\"}"))
                .isFalse();
    }

    @Test
    void transactionsBatchesAndStatementsNeedTheirParts() {
        String put = "{\"Put\":{\"TableName\":\"events\"}}";
        assertThat(allows("TransactWriteItems", "{\"TransactItems\":[" + put + "]}"))
                .isTrue();
        assertThat(allows(
                        "TransactWriteItems",
                        "{\"TransactItems\":[" + put + ",{\"ConditionCheck\":{\"TableName\":\"events\"}}]}"))
                .isFalse();
        assertThat(policy.denied())
                .containsExactly("dynamodb:ConditionCheckItem on " + IamRequest.ACCOUNT + "table/events");
        assertThat(allows("BatchGetItem", "{\"RequestItems\":{\"events\":{}}}")).isFalse();
        assertThat(allows(
                        "BatchExecuteStatement",
                        "{\"Statements\":[{\"Statement\":\"INSERT INTO \\\"events\\\" VALUE ?\"}]}"))
                .isTrue();
    }

    @Test
    void whatNobodyAskedIsUnused() {
        allows("PutItem", "{\"TableName\":\"events\"}");
        assertThat(policy.unused())
                .contains("dynamodb:Query on arn:aws:dynamodb:*:*:table/events")
                .doesNotContain("dynamodb:PutItem on arn:aws:dynamodb:*:*:table/events");
    }
}
