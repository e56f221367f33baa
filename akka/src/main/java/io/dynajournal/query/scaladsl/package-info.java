/** The queries for Scala. */
@NullMarked
package io.dynajournal.query.scaladsl;

import org.jspecify.annotations.NullMarked;
