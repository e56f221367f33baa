@NullMarked
package io.dynajournal.examples.cart;

import org.jspecify.annotations.NullMarked;
