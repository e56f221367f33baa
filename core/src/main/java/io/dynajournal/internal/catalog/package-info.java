/** The list of all layouts. */
@NullMarked
package io.dynajournal.internal.catalog;

import org.jspecify.annotations.NullMarked;
