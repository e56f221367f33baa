/**
 * DynamoDB Local as a server for development and tests, in a JVM of its own.
 *
 * <p>DynamoDB Local is under Amazon's own licence (use in connection with AWS, no redistribution). This module does not
 * hold it and does not depend on it transitively: the user's own Maven fetches it, and it runs from the local Maven
 * repository. Its telemetry is off. It is no production database.
 */
@NullMarked
package io.dynajournal.local;

import org.jspecify.annotations.NullMarked;
