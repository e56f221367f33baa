/** Clean-ups of events, snapshots and durable states, for Scala. */
@NullMarked
package io.dynajournal.cleanup.scaladsl;

import org.jspecify.annotations.NullMarked;
