package io.dynajournal.testkit.simulator;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchExecuteStatementRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchExecuteStatementResponse;
import software.amazon.awssdk.services.dynamodb.model.BatchStatementError;
import software.amazon.awssdk.services.dynamodb.model.BatchStatementErrorCodeEnum;
import software.amazon.awssdk.services.dynamodb.model.BatchStatementRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchStatementResponse;
import software.amazon.awssdk.services.dynamodb.model.ConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.DuplicateItemException;
import software.amazon.awssdk.services.dynamodb.model.ExecuteStatementRequest;
import software.amazon.awssdk.services.dynamodb.model.ExecuteStatementResponse;

/** ExecuteStatement and BatchExecuteStatement, for PartiQL inserts. An insert fails where an item exists. */
final class Statements {

    private static final int MAX_STATEMENTS = 25;
    private static final Pattern INSERT = Pattern.compile(
            "\\s*INSERT\\s+INTO\\s+\"?([A-Za-z0-9_.:/-]+)\"?\\s+VALUE\\s*\\{(.*)\\}\\s*",
            Pattern.CASE_INSENSITIVE | Pattern.DOTALL);
    private static final Pattern FIELD =
            Pattern.compile("\\s*'([^']*)'\\s*:\\s*(\\?|'[^']*'|-?[0-9][0-9.eE+-]*|true|false|null)\\s*(,|$)");

    private record Insert(Table table, ItemChange change) {}

    private final Tables tables;

    Statements(Tables tables) {
        this.tables = tables;
    }

    private Insert parse(String statement, List<AttributeValue> parameters) {
        Matcher insert = INSERT.matcher(statement);
        if (!insert.matches()) {
            throw Errors.validation("Statement wasn't well formed, can't be processed: the simulator knows INSERT INTO"
                    + " \"table\" VALUE {...} only, not: " + statement);
        }
        Table table = tables.named(insert.group(1));
        Map<String, AttributeValue> item = new HashMap<>();
        String fields = insert.group(2);
        Matcher field = FIELD.matcher(fields);
        int at = 0;
        int next = 0;
        while (at < fields.length()) {
            if (!field.find(at) || field.start() != at) {
                throw Errors.validation("Statement wasn't well formed, can't be processed: Unexpected token");
            }
            boolean parameter = field.group(2).equals("?");
            if (parameter && next == parameters.size()) {
                throw Errors.validation("Number of parameters in request and statement don't match.");
            }
            item.put(field.group(1), parameter ? parameters.get(next++) : literal(field.group(2)));
            at = field.end();
        }
        if (next != parameters.size()) {
            throw Errors.validation("Number of parameters in request and statement don't match.");
        }
        String condition = "attribute_not_exists(#key)";
        Map<String, String> names = Map.of("#key", table.schema().hash().name());
        return new Insert(
                table,
                ItemChange.put(table, item, new ItemChange.Expressions(condition, null, names, Map.of()))
                        .checked());
    }

    private static AttributeValue literal(String text) {
        return switch (text) {
            case "true", "false" -> AttributeValue.fromBool(Boolean.valueOf(text));
            case "null" -> AttributeValue.fromNul(true);
            default ->
                text.startsWith("'")
                        ? AttributeValue.fromS(text.substring(1, text.length() - 1))
                        : AttributeValue.fromN(text);
        };
    }

    ExecuteStatementResponse execute(ExecuteStatementRequest request) {
        Insert insert = parse(request.statement(), request.parameters());
        if (!insert.change.holds()) {
            throw duplicate();
        }
        return ExecuteStatementResponse.builder()
                .items(List.of())
                .consumedCapacity(insert.change.apply().units().report(insert.table, request.returnConsumedCapacity()))
                .build();
    }

    private static AwsServiceException duplicate() {
        return Errors.finished(
                DuplicateItemException.builder(),
                "DuplicateItemException",
                "Duplicate primary key exists in table",
                400);
    }

    BatchExecuteStatementResponse execute(BatchExecuteStatementRequest request) {
        if (request.statements().isEmpty() || request.statements().size() > MAX_STATEMENTS) {
            throw Errors.validation("1 validation error detected: Value at 'statements' failed to satisfy constraint:"
                    + " Member must have length less than or equal to " + MAX_STATEMENTS);
        }
        List<BatchStatementResponse> responses = new ArrayList<>();
        Map<String, Units> units = new LinkedHashMap<>();
        for (BatchStatementRequest statement : request.statements()) {
            responses.add(execute(statement, units));
        }
        List<ConsumedCapacity> capacity = new ArrayList<>();
        units.forEach((table, of) -> {
            ConsumedCapacity report = of.report(tables.named(table), request.returnConsumedCapacity());
            if (report != null) {
                capacity.add(report);
            }
        });
        return BatchExecuteStatementResponse.builder()
                .responses(responses)
                .consumedCapacity(capacity.isEmpty() ? null : capacity)
                .build();
    }

    private BatchStatementResponse execute(BatchStatementRequest statement, Map<String, Units> units) {
        try {
            Insert insert = parse(statement.statement(), statement.parameters());
            if (!insert.change.holds()) {
                return failed(
                        BatchStatementErrorCodeEnum.DUPLICATE_ITEM,
                        "Duplicate primary key exists in table",
                        SingleWrites.showsExisting(statement.returnValuesOnConditionCheckFailure())
                                ? insert.change.before()
                                : null);
            }
            units.merge(insert.table.name(), insert.change.apply().units(), Units::plus);
            return BatchStatementResponse.builder()
                    .tableName(insert.table.name())
                    .build();
        } catch (AwsServiceException e) {
            boolean missing = e.awsErrorDetails().errorCode().startsWith("ResourceNotFound");
            return failed(
                    missing
                            ? BatchStatementErrorCodeEnum.RESOURCE_NOT_FOUND
                            : BatchStatementErrorCodeEnum.VALIDATION_ERROR,
                    e.awsErrorDetails().errorMessage(),
                    null);
        }
    }

    private static BatchStatementResponse failed(
            BatchStatementErrorCodeEnum code, String message, @Nullable Map<String, AttributeValue> existing) {
        return BatchStatementResponse.builder()
                .error(BatchStatementError.builder()
                        .code(code)
                        .message(message)
                        .item(existing)
                        .build())
                .build();
    }
}
