/** What runs in the server's own JVM, the only place where the classes of DynamoDB Local exist. */
@NullMarked
package io.dynajournal.local.server;

import org.jspecify.annotations.NullMarked;
