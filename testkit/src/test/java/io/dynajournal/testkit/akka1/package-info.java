/** The tables of akka-persistence-dynamodb 1.x and of Pekko's fork: golden items, the contract, and its defects mended. */
@NullMarked
package io.dynajournal.testkit.akka1;

import org.jspecify.annotations.NullMarked;
