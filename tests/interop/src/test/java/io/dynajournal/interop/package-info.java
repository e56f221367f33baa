/** Entities that a predecessor and Dynajournal own in turn, on the same tables. */
@NullMarked
package io.dynajournal.interop;

import org.jspecify.annotations.NullMarked;
