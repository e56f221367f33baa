/**
 * DynamoDB Local as a server for development and tests, in its own JVM.
 *
 * <p>DynamoDB Local is under Amazon's own licence (use in connection with AWS, no redistribution). This module neither contains
 * it nor depends on it: your own build tool downloads it. Its telemetry is off. Not for production.
 */
@NullMarked
package io.dynajournal.local;

import org.jspecify.annotations.NullMarked;
