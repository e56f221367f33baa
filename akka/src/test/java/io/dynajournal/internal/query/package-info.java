/** Tests of the package of the same name. */
@NullMarked
package io.dynajournal.internal.query;

import org.jspecify.annotations.NullMarked;
