/** Class names of a predecessor, for configurations that name them. */
@NullMarked
package akka.persistence.dynamodb.query;

import org.jspecify.annotations.NullMarked;
