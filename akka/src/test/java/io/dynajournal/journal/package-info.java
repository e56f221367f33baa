/** Tests of the package of the same name. */
@NullMarked
package io.dynajournal.journal;

import org.jspecify.annotations.NullMarked;
