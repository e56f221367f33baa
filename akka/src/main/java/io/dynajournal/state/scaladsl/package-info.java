/** The durable state store for Scala. */
@NullMarked
package io.dynajournal.state.scaladsl;

import org.jspecify.annotations.NullMarked;
