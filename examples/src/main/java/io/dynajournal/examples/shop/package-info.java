/** A shop that keeps running: carts, their read model, and a page that shows both. */
@NullMarked
package io.dynajournal.examples.shop;

import org.jspecify.annotations.NullMarked;
