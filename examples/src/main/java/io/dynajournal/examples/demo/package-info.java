/** The story that {@code ./demo} tells: carts are killed in the middle of their writes, and come back. */
@NullMarked
package io.dynajournal.examples.demo;

import org.jspecify.annotations.NullMarked;
