/** The code of the server's JVM, the only one with the classes of DynamoDB Local. */
@NullMarked
package io.dynajournal.local.server;

import org.jspecify.annotations.NullMarked;
