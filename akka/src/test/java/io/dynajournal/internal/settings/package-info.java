/** Tests of the package of the same name. */
@NullMarked
package io.dynajournal.internal.settings;

import org.jspecify.annotations.NullMarked;
