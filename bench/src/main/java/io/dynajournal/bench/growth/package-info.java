/** What an operation costs as the log or the store grows: {@code bench/growth}. */
@NullMarked
package io.dynajournal.bench.growth;

import org.jspecify.annotations.NullMarked;
