/** The read journal for Scala. */
@NullMarked
package io.dynajournal.query.scaladsl;

import org.jspecify.annotations.NullMarked;
