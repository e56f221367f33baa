/** The queries for Java. */
@NullMarked
package io.dynajournal.query.javadsl;

import org.jspecify.annotations.NullMarked;
