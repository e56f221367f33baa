/** What a live query decides: pure state machines, without clocks, streams or requests of their own. */
@NullMarked
package io.dynajournal.query;

import org.jspecify.annotations.NullMarked;
