/** Tables of sclasen's akka-persistence-dynamodb 0.3.x: one hash key, one item per event, marks spread over shards. */
@NullMarked
package io.dynajournal.internal.layout.sclasen;

import org.jspecify.annotations.NullMarked;
