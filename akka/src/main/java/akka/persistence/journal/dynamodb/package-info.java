/** Class names of a predecessor, for configurations that name them. */
@NullMarked
package akka.persistence.journal.dynamodb;

import org.jspecify.annotations.NullMarked;
