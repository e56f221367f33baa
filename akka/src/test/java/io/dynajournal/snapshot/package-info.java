/** Tests of the package of the same name. */
@NullMarked
package io.dynajournal.snapshot;

import org.jspecify.annotations.NullMarked;
