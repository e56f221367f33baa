/** Projections with offsets in DynamoDB, for Java. */
@NullMarked
package io.dynajournal.projection.javadsl;

import org.jspecify.annotations.NullMarked;
