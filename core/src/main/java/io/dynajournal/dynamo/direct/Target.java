package io.dynajournal.dynamo.direct;

/** Where requests go, and for which region they are signed. */
record Target(String protocol, String host, int port, String path, String region) {}
