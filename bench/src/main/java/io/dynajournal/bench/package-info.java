/** The comparison of plugins: {@code bench/compare}. */
@NullMarked
package io.dynajournal.bench;

import org.jspecify.annotations.NullMarked;
