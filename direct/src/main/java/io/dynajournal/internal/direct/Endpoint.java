package io.dynajournal.internal.direct;

/** Where requests are sent, and the region for which they are signed. */
record Endpoint(String protocol, String host, int port, String path, String region) {}
