/** The read journal for Java. */
@NullMarked
package io.dynajournal.query.javadsl;

import org.jspecify.annotations.NullMarked;
