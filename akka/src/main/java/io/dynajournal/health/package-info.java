/** The health of the plugins, for plain code and for Akka or Pekko Management. */
@NullMarked
package io.dynajournal.health;

import org.jspecify.annotations.NullMarked;
