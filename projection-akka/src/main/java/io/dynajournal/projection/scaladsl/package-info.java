/** Projections with offsets in DynamoDB, for Scala. */
@NullMarked
package io.dynajournal.projection.scaladsl;

import org.jspecify.annotations.NullMarked;
