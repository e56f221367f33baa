/** Clean-ups of events, snapshots and durable states, for Java. */
@NullMarked
package io.dynajournal.cleanup.javadsl;

import org.jspecify.annotations.NullMarked;
