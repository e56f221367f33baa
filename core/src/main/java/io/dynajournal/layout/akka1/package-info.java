/** The tables of akka-persistence-dynamodb 1.x and of Pekko's fork of it: partitions of 100 events, sharded marks. */
@NullMarked
package io.dynajournal.layout.akka1;

import org.jspecify.annotations.NullMarked;
