/** What {@code ./demo} runs: shopping carts are killed in the middle of their writes and recover. */
@NullMarked
package io.dynajournal.examples.demo;

import org.jspecify.annotations.NullMarked;
