/** The plugins side by side: {@code bench/compare}. And what grows with the store: {@code bench/growth}. */
@NullMarked
package io.dynajournal.bench;

import org.jspecify.annotations.NullMarked;
