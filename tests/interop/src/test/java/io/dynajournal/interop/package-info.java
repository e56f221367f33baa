/** Entities that a predecessor's plugin and ours own in turn, on the same tables. */
@NullMarked
package io.dynajournal.interop;

import org.jspecify.annotations.NullMarked;
