/** {@code bench/soak}: hours of load with faults and killed processes, whose acknowledged events are then looked for. */
@NullMarked
package io.dynajournal.bench.soak;

import org.jspecify.annotations.NullMarked;
