package io.dynajournal.testkit;

/**
 * A request that came to a {@link FaultProxy}.
 *
 * @param number counts from 1 in the order of arrival
 * @param operation DynamoDB's name of it, like {@code PutItem}
 * @param table the table, or the first of several; empty if the request names none
 */
public record ProxiedRequest(int number, String operation, String table) {}
