/** The durable state store for Java. */
@NullMarked
package io.dynajournal.state.javadsl;

import org.jspecify.annotations.NullMarked;
