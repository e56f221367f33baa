/** Listeners for metrics, and the records they receive. */
@NullMarked
package io.dynajournal.listener;

import org.jspecify.annotations.NullMarked;
