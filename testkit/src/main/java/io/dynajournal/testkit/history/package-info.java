/**
 * Random programs of entities on the simulated DynamoDB, and the check that what they acknowledged and observed is what the guarantees
 * allow.
 */
@NullMarked
package io.dynajournal.testkit.history;

import org.jspecify.annotations.NullMarked;
