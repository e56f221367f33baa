/** Class names of a predecessor, for configurations that name them. */
@NullMarked
package akka.persistence.dynamodb.journal;

import org.jspecify.annotations.NullMarked;
