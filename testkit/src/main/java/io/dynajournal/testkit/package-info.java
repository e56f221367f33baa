/**
 * What tests of a layout need: the contract suites every layout must pass, a proxy that breaks requests by script, a
 * DynamoDB to run against, and a meter for what requests cost.
 */
@NullMarked
package io.dynajournal.testkit;

import org.jspecify.annotations.NullMarked;
