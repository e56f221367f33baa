package io.dynajournal.internal.dynamo;

import java.util.List;
import software.amazon.awssdk.services.dynamodb.model.BatchExecuteStatementRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchStatementError;
import software.amazon.awssdk.services.dynamodb.model.BatchStatementErrorCodeEnum;
import software.amazon.awssdk.services.dynamodb.model.BatchStatementRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchStatementResponse;

/** Several inserts of one table as one batch of PartiQL statements. */
final class PutGroup {

    private static final int USUAL_STATEMENT_LENGTH = 200;

    private PutGroup() {}

    static BatchExecuteStatementRequest.Builder request(List<Insert> inserts) {
        return BatchExecuteStatementRequest.builder()
                .statements(inserts.stream()
                        .map(insert -> BatchStatementRequest.builder()
                                .statement(statement(insert))
                                .parameters(insert.item().attributes().values())
                                .build())
                        .toList());
    }

    /** The values follow as parameters, in the order of the item's attributes. */
    static String statement(Insert insert) {
        StringBuilder text = new StringBuilder(USUAL_STATEMENT_LENGTH)
                .append("INSERT INTO \"")
                .append(insert.table())
                .append("\" VALUE {");
        String separator = "'";
        for (String name : insert.item().attributes().keySet()) {
            text.append(separator).append(name).append("':?");
            separator = ",'";
        }
        return text.append('}').toString();
    }

    static PutBatcher.Outcome outcome(BatchStatementResponse answer) {
        BatchStatementError error = answer.error();
        if (error == null) {
            return PutBatcher.Outcome.STORED;
        }
        BatchStatementErrorCodeEnum code = error.code();
        if (code == BatchStatementErrorCodeEnum.DUPLICATE_ITEM
                || code == BatchStatementErrorCodeEnum.CONDITIONAL_CHECK_FAILED) {
            return PutBatcher.Outcome.EXISTS;
        }
        String message = error.message() == null ? "" : error.message();
        return code == BatchStatementErrorCodeEnum.ACCESS_DENIED && Failures.namesPartiQl(message)
                ? PutBatcher.Outcome.DENIED
                : PutBatcher.Outcome.FAILED;
    }
}
