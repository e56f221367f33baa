/** Tests of the package of the same name. */
@NullMarked
package io.dynajournal.internal.toolkit;

import org.jspecify.annotations.NullMarked;
