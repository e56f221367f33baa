package io.dynajournal.internal.dynamo;

/**
 * What DynamoDB's description of a table says of its size; it is renewed about every six hours.
 *
 * @param indexBytes of all indexes together
 */
public record TableFigures(String name, long items, long bytes, long indexBytes) {}
