/** Tests of the package of the same name. */
@NullMarked
package io.dynajournal.toolkit;

import org.jspecify.annotations.NullMarked;
