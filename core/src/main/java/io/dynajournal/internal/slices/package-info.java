/** What a query by slice reads and delivers, decided by pure state machines that have no clock, stream or client. */
@NullMarked
package io.dynajournal.internal.slices;

import org.jspecify.annotations.NullMarked;
