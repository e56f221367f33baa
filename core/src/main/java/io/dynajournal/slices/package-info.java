/** What a query by slice decides: pure state machines, without clocks, streams or requests of their own. */
@NullMarked
package io.dynajournal.slices;

import org.jspecify.annotations.NullMarked;
