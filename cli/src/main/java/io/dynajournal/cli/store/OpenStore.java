package io.dynajournal.cli.store;

import io.dynajournal.internal.dynamo.Dynamo;

/**
 * A layout, and the requests to its table.
 *
 * @param endpoint for messages: the address if one is set, otherwise the region
 */
public record OpenStore<L>(L layout, Dynamo dynamo, String endpoint) {}
