@NullMarked
package io.dynajournal.examples.demo;

import org.jspecify.annotations.NullMarked;
