package io.dynajournal.internal.dynamo;

import io.dynajournal.listener.Lane;

/** What flow control needs to know about a request. */
record RequestKind(Lane lane, String table, boolean isWrite) {}
