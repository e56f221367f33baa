/** A shopping cart as an event-sourced entity: what an application with Dynajournal looks like. */
@NullMarked
package io.dynajournal.examples.cart;

import org.jspecify.annotations.NullMarked;
