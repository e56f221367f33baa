/** The layouts by their names. */
@NullMarked
package io.dynajournal.catalog;

import org.jspecify.annotations.NullMarked;
