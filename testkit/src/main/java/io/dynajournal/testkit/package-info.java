/**
 * Support for tests: the contracts that every layout must pass, a proxy that injects faults, a DynamoDB server, and a meter
 * for the cost of requests.
 */
@NullMarked
package io.dynajournal.testkit;

import org.jspecify.annotations.NullMarked;
