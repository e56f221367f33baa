/** Between a plugin and DynamoDB: a proxy that listens, what the requests cost, and a server that answers at once. */
@NullMarked
package io.dynajournal.bench.wire;

import org.jspecify.annotations.NullMarked;
