/** Copies stores of any layout into one another, and compares them. */
@NullMarked
package io.dynajournal.cli.copy;

import org.jspecify.annotations.NullMarked;
