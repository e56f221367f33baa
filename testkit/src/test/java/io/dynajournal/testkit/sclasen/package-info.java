/** The layout of akka-persistence-dynamodb 0.3: the contract, its format, and what became of its defects. */
@NullMarked
package io.dynajournal.testkit.sclasen;

import org.jspecify.annotations.NullMarked;
