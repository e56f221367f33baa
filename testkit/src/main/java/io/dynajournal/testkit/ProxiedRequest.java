package io.dynajournal.testkit;

/**
 * A request that a {@link FaultProxy} has received.
 *
 * @param number the position in the order of arrival, from 1
 * @param operation DynamoDB's name of the operation, such as {@code PutItem}
 * @param table the table, or the first of several; empty if the request names none
 */
public record ProxiedRequest(int number, String operation, String table) {}
