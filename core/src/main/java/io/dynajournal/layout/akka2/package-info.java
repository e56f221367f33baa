/** The tables of akka-persistence-dynamodb 2.x: one item per event, one snapshot per id. */
@NullMarked
package io.dynajournal.layout.akka2;

import org.jspecify.annotations.NullMarked;
