/** Tables of akka-persistence-dynamodb 2.x: one item per event, one snapshot per persistence id. */
@NullMarked
package io.dynajournal.internal.layout.akka2;

import org.jspecify.annotations.NullMarked;
