@NullMarked
package io.dynajournal.examples.shop;

import org.jspecify.annotations.NullMarked;
