/** Clean-ups of many persistence ids, for the Java and the Scala API. */
@NullMarked
package io.dynajournal.internal.cleanup;

import org.jspecify.annotations.NullMarked;
