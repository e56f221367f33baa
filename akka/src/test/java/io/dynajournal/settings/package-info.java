/** Tests of the package of the same name. */
@NullMarked
package io.dynajournal.settings;

import org.jspecify.annotations.NullMarked;
