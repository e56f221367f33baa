/** Tables of akka-persistence-dynamodb 1.x and of its fork for Pekko: partitions of 100 events, sharded marks. */
@NullMarked
package io.dynajournal.internal.layout.akka1;

import org.jspecify.annotations.NullMarked;
