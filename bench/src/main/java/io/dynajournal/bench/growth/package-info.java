/** How the cost of operations grows with the log and with the store: {@code bench/growth}. */
@NullMarked
package io.dynajournal.bench.growth;

import org.jspecify.annotations.NullMarked;
