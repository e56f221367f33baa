package io.dynajournal.local;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/** DynamoDB's protocol without an SDK. The server does not check signatures. */
final class Requests {

    private final HttpClient client = HttpClient.newHttpClient();
    private final URI endpoint;
    private final String account;

    Requests(URI endpoint) {
        this(endpoint, "local");
    }

    Requests(URI endpoint, String account) {
        this.endpoint = endpoint;
        this.account = account;
    }

    String listTables() {
        return send("ListTables", "{}");
    }

    void createTable(String name) {
        send("CreateTable", """
                {"TableName": "%s", "BillingMode": "PAY_PER_REQUEST",
                 "AttributeDefinitions": [{"AttributeName": "k", "AttributeType": "S"}],
                 "KeySchema": [{"AttributeName": "k", "KeyType": "HASH"}]}""".formatted(name));
    }

    void put(String table, String key) {
        send("PutItem", """
                {"TableName": "%s", "Item": {"k": {"S": "%s"}}}""".formatted(table, key));
    }

    String scan(String table) {
        return send("Scan", """
                {"TableName": "%s"}""".formatted(table));
    }

    private String send(String operation, String body) {
        HttpRequest request = HttpRequest.newBuilder(endpoint)
                .header("X-Amz-Target", "DynamoDB_20120810." + operation)
                .header("Content-Type", "application/x-amz-json-1.0")
                .header(
                        "Authorization",
                        "AWS4-HMAC-SHA256 Credential=%s/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0"
                                .formatted(account))
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        try {
            HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
            if (response.statusCode() != 200) {
                throw new IllegalStateException(operation + ": " + response.statusCode() + " " + response.body());
            }
            return response.body();
        } catch (IOException e) {
            throw new IllegalStateException(operation + " on " + endpoint, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(operation, e);
        }
    }
}
