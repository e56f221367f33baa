/** The snapshot store plugin. */
@NullMarked
package io.dynajournal.snapshot;

import org.jspecify.annotations.NullMarked;
