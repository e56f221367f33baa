/** The layout of akka-persistence-dynamodb 2.x under test. */
@NullMarked
package io.dynajournal.testkit.akka2;

import org.jspecify.annotations.NullMarked;
